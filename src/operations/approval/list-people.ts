import type { Role } from '../../domain/access/role.ts';
import { isPasskeyText } from '../../domain/approval/passkey.ts';
import { isEntitled } from '../../domain/approval/people.ts';
import type { ApprovalPolicy, Tier } from '../../domain/approval/policy.ts';
import { loadSettings } from '../batch/sources.ts';
import type { OperationContext } from '../context.ts';

/** A person of the settings. `key`: how the person signs. `webRole`: the role of the person in the web app, besides approving. */
export type ListedPerson = Readonly<{
  name: string;
  roles: readonly string[];
  key: 'passkey' | 'ed25519' | 'none';
  webRole: Role;
  users: readonly string[];
}>;

/** Who may do what, by the settings of this process. A worker makes plans by its own. */
export type PeopleList = Readonly<{
  schema: 'bursar.people/v1';
  /** null: no batch needs approvals. */
  mode: ApprovalPolicy['mode'] | null;
  /** How long an approval counts, in milliseconds; null: no batch needs one. */
  expiresAfterMs: number | null;
  people: readonly ListedPerson[];
  /** `mayApprove`: the names of the people whose approval the tier has a use for. */
  tiers: readonly (Tier & Readonly<{ mayApprove: readonly string[] }>)[];
}>;

/** The people who sign, and what each total needs. Reads the settings alone. */
export async function listPeople(_choices: object, context: OperationContext): Promise<PeopleList> {
  const { people, rules } = await loadSettings(context);
  const { mode = null, expiresAfterMs = null, tiers = [] } = rules.approval ?? {};
  return {
    schema: 'bursar.people/v1',
    mode,
    expiresAfterMs,
    people: people.map(({ name, roles, publicKey, webRole, users }) => ({
      name,
      roles,
      key: keyKind(publicKey),
      webRole,
      users,
    })),
    tiers: tiers.map((tier) => ({
      ...tier,
      mayApprove: people.filter((person) => isEntitled(tier, person)).map(({ name }) => name),
    })),
  };
}

function keyKind(publicKey: string | null): ListedPerson['key'] {
  if (publicKey === null) return 'none';
  return isPasskeyText(publicKey) ? 'passkey' : 'ed25519';
}

import type { z } from 'zod';
import { countsFor, identityOf, namesOf } from '../domain/approval/people.ts';
import type { ApprovalPolicy, Person, Tier } from '../domain/approval/policy.ts';
import { UNSIGNED_TEXT } from '../domain/approval/policy-text.ts';
import { readPasskey } from '../domain/approval/passkey.ts';
import { isPublicKey } from '../domain/approval/signature.ts';
import { codeNamed } from './code-names.ts';
import type { ApprovalSection } from './rules-schema.ts';

/** The fault of a setting, and its path in the section; the sentence goes on after its name. */
type Problem = Readonly<{ path: readonly (string | number)[]; sentence: string }>;

/** Adds the faults of an approval policy as a whole to those of the settings. */
export function checkApproval(section: ApprovalSection, context: z.RefinementCtx): void {
  const policy: ApprovalPolicy = codeNamed(section, '');
  const problems = [
    ...policy.people.flatMap((person, at) => personProblems(policy, person, at)),
    ...policy.tiers.flatMap((tier, at) => tierProblems(policy, tier, at)),
    ...accountProblems(section),
  ];
  for (const { path, sentence } of problems) {
    context.addIssue({ code: 'custom', path: ['approval', ...path], message: sentence });
  }
}

/** The unusual parts of a policy that are no faults. */
export const approvalWarnings = ({ mode, tiers }: ApprovalSection): string[] =>
  mode === 'unsigned' && tiers.length > 0 ? [`approval.mode is unsigned. ${UNSIGNED_TEXT}`] : [];

/** The people whose passkeys belong to another web app. `origin`: that of this one. */
export function passkeyWarnings(people: readonly Person[], origin: string | undefined): string[] {
  if (origin === undefined) return [];
  const { hostname } = new URL(origin);
  return people.flatMap(({ name, publicKey }) => {
    const rpId = readPasskey(publicKey ?? '')?.rpId ?? hostname;
    if (rpId === hostname) return [];
    return [
      `the passkey of ${name} belongs to ${rpId}, and serve.origin names another host: ${name} cannot sign in`,
    ];
  });
}

/** An account at the provider of OpenID Connect is one person. */
const accountProblems = ({ people }: ApprovalSection): Problem[] =>
  people.flatMap(({ oidc }, at) =>
    oidc !== null && people.slice(0, at).some((other) => other.oidc === oidc)
      ? [{ path: ['people', at, 'oidc'], sentence: 'must be the account of nobody else' }]
      : [],
  );

function personProblems({ mode, people }: ApprovalPolicy, person: Person, at: number): Problem[] {
  const others = people.slice(0, at);
  const taken = new Set(others.flatMap(namesOf));
  const key = person.publicKey;
  const checks = [
    {
      isWrong: namesOf(person).some((name) => taken.has(name)),
      field: 'name',
      sentence: 'must be, with its users, the name of nobody else, in small letters or capitals',
    },
    {
      isWrong: key === null && mode === 'signed',
      field: 'public_key',
      sentence:
        'is missing: in mode signed everybody has one, as "bursar keys new" or the web app makes it',
    },
    {
      isWrong: key !== null && !isPublicKey(key),
      field: 'public_key',
      sentence:
        'must be a key as "bursar keys new" or the web app makes it: this one belongs to nobody',
    },
    {
      isWrong: key !== null && others.some((other) => identityOf(other) === identityOf(person)),
      field: 'public_key',
      sentence: 'must be the key of nobody else: a key is one person',
    },
  ];
  return checks
    .filter(({ isWrong }) => isWrong)
    .map(({ field, sentence }) => ({ path: ['people', at, field], sentence }));
}

function tierProblems({ tiers, people }: ApprovalPolicy, tier: Tier, at: number): Problem[] {
  const isKnown = (role: string): boolean => people.some(({ roles }) => roles.includes(role));
  const counting = people.filter((person) => countsFor(tier, person)).length;
  const unknown = 'must name roles that people in approval.people have';
  const checks = [
    { isWrong: !tier.roles.every(isKnown), field: 'roles', sentence: unknown },
    { isWrong: !tier.mustInclude.every(isKnown), field: 'must_include', sentence: unknown },
    {
      isWrong: counting < tier.approvals,
      field: 'approvals',
      sentence: `must not be above ${counting}, the number of people whose approval counts here`,
    },
    {
      isWrong: tiers.slice(0, at).some((other) => isSameTier(other, tier)),
      field: 'above',
      sentence: 'must differ from that of every other tier of the same currency',
    },
  ];
  return checks
    .filter(({ isWrong }) => isWrong)
    .map(({ field, sentence }) => ({ path: ['tiers', at, field], sentence }));
}

/** Amounts are canonical by now, so that equal ones have one text. */
const isSameTier = (a: Tier, b: Tier): boolean => a.currency === b.currency && a.above === b.above;

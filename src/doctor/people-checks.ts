import { counted } from '../domain/text/counted.ts';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import {
  isLoopbackUrl,
  loadNoticeTemplate,
  type NoticeSettings,
  type NotifyTarget,
  readSecretFile,
  readTargetSecrets,
} from '../config.ts';
import { aboveText } from '../domain/approval/policy-text.ts';
import { reachOf } from '../domain/approval/requirements.ts';
import type { ApprovalPolicy, Tier } from '../domain/approval/policy.ts';
import type { Store } from '../store/index.ts';
import { type Check, fail, failedBy, ok, warn } from './check.ts';

/**
 * Whether there is a policy where the service is not on this machine, and whether its people are enough. Without a policy
 * each name counts: any program that reaches Temporal can pay.
 */
export function checkApproval(
  policy: ApprovalPolicy | null,
  { baseUrl }: Readonly<{ baseUrl?: string }>,
): Check[] {
  const name = 'approval';
  if (policy === null) {
    return baseUrl === undefined || isLoopbackUrl(baseUrl)
      ? [ok(name, 'none is needed')]
      : [warn(name, 'no batch needs one: each program that reaches Temporal can pay', POLICY_FIX)];
  }
  const wrong = policy.tiers.flatMap((tier) => tierProblems(tier, policy));
  if (wrong.length > 0) {
    const fix = 'Add people to approval.people, with roles and keys, or demand fewer.';
    return [fail(name, { says: wrong.join('; '), fix })];
  }
  const open = reachOf(policy) === 'all' ? '' : '; batches below them need no approval';
  const says = `${counted(policy.tiers.length, 'tier')}, ${counted(policy.people.length, 'person', 'people')}${open}`;
  return policy.mode === 'signed'
    ? [ok(name, says)]
    : [warn(name, `${says}, unsigned: it proves nothing`, 'Set approval.mode to signed.')];
}

const POLICY_FIX =
  'Set approval.tiers and approval.people in bursar.toml, with public keys: docs/security.md.';

function tierProblems(tier: Tier, { mode, people }: ApprovalPolicy): string[] {
  const able = people.filter(({ publicKey }) => mode === 'unsigned' || publicKey !== null);
  const having = (roles: readonly string[]) =>
    able.filter(
      (person) => roles.length === 0 || roles.some((role) => person.roles.includes(role)),
    );
  const eligible = having(tier.roles).length;
  const place = `above ${aboveText(tier)}`;
  return [
    ...(eligible < tier.approvals
      ? [`${place} ${tier.approvals} must approve, and ${eligible} can`]
      : []),
    ...tier.mustInclude
      .filter((role) => having([role]).length === 0)
      .map((role) => `${place} a ${role} must approve, and no person can`),
  ];
}

/** Whether each target of notifications can be reached, as far as this machine can check. */
export async function checkTargets(targets: readonly NotifyTarget[]): Promise<Check[]> {
  if (targets.length === 0)
    return [ok('notifications', 'no notifications configured (notify.targets)')];
  return Promise.all(targets.map(checkTarget));
}

async function checkTarget(target: NotifyTarget): Promise<Check> {
  const name = `notify ${target.name}`;
  const [program] = target.command ?? [];
  if (program !== undefined) return checkProgram(name, program);
  try {
    const { length } = readTargetSecrets(target);
    if (length === 0) return ok(name, 'needs no secret');
    return ok(name, length === 1 ? 'its secret can be read' : `${length} secrets`);
  } catch (error) {
    return failedBy(name, error);
  }
}

/** Whether notices to payees can be written and sent, as far as this machine can check. */
export function checkNotices({ templateFile, secretFile }: NoticeSettings): Check[] {
  const name = 'payee notices';
  if (templateFile === undefined) return [];
  try {
    loadNoticeTemplate(templateFile);
    if (secretFile !== undefined) readSecretFile(secretFile);
    return [ok(name, 'the template is valid')];
  } catch (error) {
    return [failedBy(name, error)];
  }
}

/** A program without a path is searched by the worker when it runs it. */
async function checkProgram(name: string, program: string): Promise<Check> {
  if (!program.includes('/')) return ok(name, `runs ${program}`);
  try {
    await access(program, constants.X_OK);
    return ok(name, `runs ${program}`);
  } catch {
    return fail(name, {
      says: `${program} cannot be run`,
      fix: 'Check the path and its right to be executed.',
    });
  }
}

/** Notifications that are shown, of those that did not arrive. */
const FAILING_MAX = 5;

/** How far back they count, in milliseconds. */
const FAILING_MS = 7 * 86_400_000;

/** Whether notifications have arrived. */
export async function checkDeliveries(store: Store, nowMs: number): Promise<Check[]> {
  const sinceMs = nowMs - FAILING_MS;
  const failing = await store.notifications.failing({ sinceMs, limit: FAILING_MAX });
  return failing.map(({ target, event, state, attempts, error }) => {
    const then = state === 'GIVEN_UP' ? 'given up' : 'tried again';
    const says = `${event} did not arrive (${error ?? 'unknown'}, ${attempts} tries, ${then})`;
    return warn(`notify ${target}`, says, 'Test the receiver: bursar doctor --send-test');
  });
}

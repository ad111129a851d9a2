/** Checks that a batch passes before its first create, in this order. Each holds until the checks begin again. */
export type ReleaseCheck = 'approval' | 'due-time' | 'fees' | 'funds' | 'holds' | 'resend-rows';

/** What stands between a planned batch and its release, at one moment. */
export type ReleaseFacts = Readonly<{
  /** A person stopped the batch. */
  isStopped: boolean;
  /** A fee rule stopped the batch, and no person has accepted the fees yet. */
  areFeesStopped: boolean;
  /** The last quote of fees is too old to count. */
  areFeesOld: boolean;
  /** A hold of a fee rule is open. */
  hasFeeHolds: boolean;
  passed: ReadonlySet<ReleaseCheck>;
}>;

/** `check`: make this check now. `begin-again`: a check that was passed counts no more. */
export type ReleaseStep =
  | Readonly<{ kind: 'end' | 'accept-fees' | 'begin-again' | 'release' }>
  | Readonly<{ kind: 'check'; check: ReleaseCheck }>;

/**
 * Returns the next step before a batch may pay. The store decides the release itself; this order only avoids useless
 * calls. Example: a batch waited two days for its funds. The quote of fees is two days old then, so all checks begin
 * again.
 */
export function nextReleaseStep(facts: ReleaseFacts): ReleaseStep {
  const { isStopped, areFeesStopped, areFeesOld, hasFeeHolds, passed } = facts;
  if (areFeesStopped) return { kind: 'accept-fees' };
  if (isStopped) return { kind: 'end' };
  if (!passed.has('approval')) return check('approval');
  if (!passed.has('due-time')) return check('due-time');
  if (!passed.has('fees') && (areFeesOld || hasFeeHolds)) return check('fees');
  if (!passed.has('funds')) return check('funds');
  if (!passed.has('holds')) return check('holds');
  if (passed.has('resend-rows')) return { kind: 'release' };
  return areFeesOld ? { kind: 'begin-again' } : check('resend-rows');
}

const check = (name: ReleaseCheck): ReleaseStep => ({ kind: 'check', check: name });

/** How long a quote of fees counts, in milliseconds: 5 minutes. */
const FEES_FRESH_MS = 300_000;

export const areFeesOld = (quotedAtMs: number, nowMs: number): boolean =>
  nowMs - quotedAtMs > FEES_FRESH_MS;

/** How often workflow and store may differ about approvals before a person is needed. */
const DIFFERENCES_MAX = 10;

/**
 * What follows when the store refused the release for want of approvals, and the workflow has read them again. Clocks of worker
 * and Temporal may differ, so the store may call an approval expired that the workflow still counts: that passes.
 */
export function afterMissingApprovals(
  isApproved: boolean,
  differences: number,
): 'ask-again' | 'wait-for-clocks' | 'give-up' {
  if (!isApproved) return 'ask-again';
  return differences > DIFFERENCES_MAX ? 'give-up' : 'wait-for-clocks';
}

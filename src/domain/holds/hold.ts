/**
 * Why a batch creates nothing for now. A PAUSE is a person's; the others are rules', and go on by approval where there is
 * an approval policy.
 */
export const HOLD_KINDS = [
  'PAUSE',
  'APPROVAL',
  'CANARY',
  'STOP_LOSS',
  'FEE_DRIFT',
  'FEE_CAP',
  'DAY_LIMIT',
  'BALANCE',
] as const;

export type HoldKind = (typeof HOLD_KINDS)[number];

/** One hold of one batch. Instants are ISO 8601 in UTC. */
export type Hold = Readonly<{
  /** Counts the holds of the batch from 1 up. */
  n: number;
  kind: HoldKind;
  /** What happened, in a sentence. */
  reason: string;
  /** Who or what put it on. */
  by: string;
  since: string;
  /** The facts at the time when it was put on. */
  facts: Readonly<Record<string, string>>;
}>;

/**
 * The ground on which a hold was lifted. `approvals`: signed statements name it. `rule`: the rule that put it on allows
 * the payment again. `name`: a person gave a name, without a policy. `unplanned`: a person gave a name before the batch
 * had a plan that could be approved. null: the store did not record it.
 */
export type LiftBasis = 'approvals' | 'rule' | 'name' | 'unplanned' | null;

/**
 * Whether a lift on this ground accepts the value that the hold names: a limit, a fee, a loss or a difference of the
 * balance. The lift of a rule accepts nothing. A bare name before the plan accepts nothing either: the policy of the
 * plan was not known yet.
 */
export const isAcceptance = (basis: LiftBasis): boolean =>
  basis !== 'rule' && basis !== 'unplanned';

/** A hold, and its end. `released` is null while it is on, also when the batch ended meanwhile. */
export type PastHold = Hold &
  Readonly<{
    released: Readonly<{ by: string; reason: string; at: string; basis: LiftBasis }> | null;
  }>;

/** Identifies a hold, also where an older copy of the store numbers holds again. */
export const holdName = ({ n, since }: Hold): string => `${n} ${since}`;

/** A hold as a person names it: by its number, and by its instant where they have seen it. */
export type HoldRef = Readonly<{ n: Hold['n']; since?: Hold['since'] }>;

export const isHoldNamed = ({ n, since }: Hold, ref: HoldRef): boolean =>
  n === ref.n && (ref.since === undefined || ref.since === since);

/** A hold in a few words. */
export const holdText = ({ n, kind, by, reason }: Hold): string =>
  `${n} (${kind} by ${by}: ${reason})`;

/** The hold of a rule. A pause is a person's act, and any person who may resume lifts it. */
export const ruleHoldOf = (holds: readonly Hold[]): Hold | null =>
  holds.find(({ kind }) => kind !== 'PAUSE') ?? null;

/** The hold by which a difference in the balance keeps a batch from its end. */
export const balanceHoldOf = (holds: readonly Hold[]): Hold | null =>
  holds.find(({ kind }) => kind === 'BALANCE') ?? null;

/**
 * The hold that people decide about first. A stopped batch sends nothing more, so only the hold for money that left
 * already matters.
 */
export const askedHoldOf = (holds: readonly Hold[], isStopped: boolean): Hold | null =>
  (isStopped ? balanceHoldOf(holds) : null) ?? ruleHoldOf(holds);

/** Whether a batch waits for a person because of a rule. Without a difference in the balance a stopped one goes on to its end. */
export const waitsForPerson = (holds: readonly Hold[], isStopped: boolean): boolean =>
  (isStopped ? balanceHoldOf(holds) : ruleHoldOf(holds)) !== null;

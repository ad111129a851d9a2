import type { ApprovalPolicy } from '../approval/policy.ts';
import type { RaisedFindings } from './finding.ts';

/** An amount of one currency: canonical decimal text. */
export type Money = Readonly<{ currency: string; amount: string }>;

/** The limits that rows are compared with while they are read. */
export type RowLimits = Readonly<{
  row: readonly Money[];
  /** One address in one batch. */
  payee: readonly Money[];
}>;

/** The most that may be paid; a currency that is not named has no limit. */
export type Limits = RowLimits &
  Readonly<{
    batch: readonly Money[];
    /** All batches of the account that begin to pay on one day (UTC). */
    day: readonly Money[];
  }>;

/** What fees may do. Percents are decimal text; null: no such rule. */
export type FeeRules = Readonly<{
  /** How far the fees at the due time may lie above those that were quoted with the plan. */
  driftMaxPercent: string | null;
  /** The largest share of the amount. */
  shareMaxPercent: string | null;
  totalMax: readonly Money[];
}>;

/** Which addresses may be paid without an acceptance. */
export type PayeeRules = Readonly<{
  /** Above these amounts a row must pay a known address: one of the register. */
  knownAbove: readonly Money[];
  /** Whether an address is also known when it was paid in this currency before. */
  paidBefore: boolean;
}>;

/** For plans that are older than rules. */
export const NOTHING_RAISED: RaisedFindings = { confirm: [], block: [] };

/** The rule of a plan about its approval. */
export type ApprovalRule = Readonly<{
  /** null: no approval is needed. */
  approval: ApprovalPolicy | null;
}>;

/**
 * The house rules of a plan: read from the settings of the program that makes the plan, frozen with it and part of its
 * digest.
 */
export type HouseRules = ApprovalRule &
  Readonly<{
    findings: RaisedFindings;
    /** For how many days back a payment counts as one that could be made twice. */
    historyDays: number;
    limits: Limits;
    fees: FeeRules;
    /** Missing: no address must be known. */
    payees?: PayeeRules;
  }>;

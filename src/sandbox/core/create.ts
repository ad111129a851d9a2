import { type Decimal, isNegative, subtract, sum } from './decimal.ts';
import { decideRepeat, type IdempotencyMode } from './idempotency.ts';
import { debitsOf, type LedgerEntry } from './ledger.ts';
import type { MassPayout, MassPayoutRequest } from './mass-payout.ts';
import type { RefusalCode } from './refusals.ts';
import { feeOf, type Tariff } from './tariff.ts';

/** The facts that decide about a create request. */
export type CreateFacts = Readonly<{
  /** Id of the mass payout, should it be accepted. */
  id: string;
  account: string;
  request: MassPayoutRequest;
  nowMs: number;
  /** The mass payout that this account made with the same key, if any. */
  earlier: Readonly<{ id: string; isPayloadEqual: boolean }> | null;
  balance: Decimal;
}>;

export type CreateRules = Readonly<{
  mode: IdempotencyMode;
  tariff: Tariff;
  stepMs: number;
  withdrawalsMax: number;
}>;

export type CreateDecision =
  | Readonly<{ kind: 'replay'; id: string }>
  | Readonly<{ kind: 'refuse'; code: RefusalCode }>
  | Readonly<{ kind: 'accept'; massPayout: NewMassPayout; entries: readonly LedgerEntry[] }>;

export type NewMassPayout = MassPayout & Readonly<{ dueMs: number }>;

/**
 * Accepts, replays or refuses a create request; the only place that knows the order of these
 * checks.
 */
export function decideCreate(facts: CreateFacts, rules: CreateRules): CreateDecision {
  if (facts.request.withdrawals.length > rules.withdrawalsMax) return refuse('TOO_MANY_ROWS');
  if (facts.earlier !== null) {
    const decision = decideRepeat(rules.mode, facts.earlier);
    if (decision === 'replay') return { kind: 'replay', id: facts.earlier.id };
    if (decision === 'conflict') return refuse('IDEMPOTENCY_KEY_CONFLICT');
  }
  const massPayout = newMassPayout(facts, rules);
  const left = subtract(subtract(facts.balance, massPayout.totalAmount), massPayout.totalFee);
  if (isNegative(left)) return refuse('INSUFFICIENT_FUNDS');
  return { kind: 'accept', massPayout, entries: debitsOfCreation(massPayout) };
}

const refuse = (code: RefusalCode): CreateDecision => ({ kind: 'refuse', code });

function newMassPayout(facts: CreateFacts, { tariff, stepMs }: CreateRules): NewMassPayout {
  const { withdrawals, ...asked } = facts.request;
  const totalAmount = sum(withdrawals.map(({ amount }) => amount));
  return {
    ...asked,
    id: facts.id,
    account: facts.account,
    state: 'CREATION_IN_PROGRESS',
    createdMs: facts.nowMs,
    dueMs: facts.nowMs + stepMs,
    withdrawalsCount: withdrawals.length,
    totalAmount,
    totalFee: feeOf(tariff, totalAmount, withdrawals.length).total,
    tariff,
  };
}

const debitsOfCreation = (massPayout: MassPayout): LedgerEntry[] =>
  debitsOf(
    {
      atMs: massPayout.createdMs,
      account: massPayout.account,
      currency: massPayout.currency,
      massPayoutId: massPayout.id,
      position: null,
    },
    { amount: massPayout.totalAmount, fee: massPayout.totalFee },
  );

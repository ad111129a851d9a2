import { type Decimal, isNegative, subtract, sum } from './decimal.ts';
import { decideKey, type KeyHistory } from './idempotency.ts';
import { debitsOf, type LedgerEntry } from './ledger.ts';
import type { SandboxMassPayout, MassPayoutRequest } from './mass-payout.ts';
import type { Modes } from './modes.ts';
import type { RefusalCode } from './refusals.ts';
import { type Tariff, totalFeeOf } from './tariff.ts';

/** The facts on which `decideCreate` decides. */
export type CreateFacts = Readonly<{
  /** The id of the mass payout, if the sandbox accepts the request. */
  id: string;
  account: string;
  request: MassPayoutRequest;
  nowMs: number;
  /** Earlier uses of the same key by this account. */
  key: KeyHistory;
  balance: Decimal;
}>;

/** The terms of a new mass payout that the settings and the admin API decide. */
export type CreateTerms = Readonly<{
  tariffOf: (currency: string) => Tariff;
  /** Milliseconds between two states. */
  stepMs: number;
}>;

export type CreateRules = CreateTerms & Readonly<{ modes: Modes }>;

export type CreateDecision =
  | Readonly<{ kind: 'replay'; id: string }>
  | Readonly<{ kind: 'refuse'; code: RefusalCode }>
  | Readonly<{ kind: 'accept'; massPayout: NewMassPayout; entries: readonly LedgerEntry[] }>;

export type NewMassPayout = SandboxMassPayout & Readonly<{ dueMs: number }>;

/**
 * Accepts, replays or refuses a create request. The order of these checks is defined here alone.
 */
export function decideCreate(facts: CreateFacts, rules: CreateRules): CreateDecision {
  const { withdrawalsMax } = rules.modes;
  if (withdrawalsMax !== null && facts.request.withdrawals.length > withdrawalsMax) {
    return refuse('TOO_MANY_ROWS');
  }
  const decision = decideKey(rules.modes, facts.key, facts.nowMs);
  if (decision.kind !== 'create') return decision;
  const massPayout = newMassPayout(facts, rules);
  const left = subtract(subtract(facts.balance, massPayout.totalAmount), massPayout.totalFee);
  if (isNegative(left)) return refuse('INSUFFICIENT_FUNDS');
  return { kind: 'accept', massPayout, entries: debitsOfCreation(massPayout) };
}

const refuse = (code: RefusalCode): CreateDecision => ({ kind: 'refuse', code });

function newMassPayout(facts: CreateFacts, { tariffOf, stepMs }: CreateRules): NewMassPayout {
  const tariff = tariffOf(facts.request.currency);
  const { withdrawals, ...asked } = facts.request;
  const amounts = withdrawals.map(({ amount }) => amount);
  return {
    ...asked,
    id: facts.id,
    account: facts.account,
    state: 'CREATION_IN_PROGRESS',
    createdMs: facts.nowMs,
    dueMs: facts.nowMs + stepMs,
    endedMs: null,
    confirmations: 0,
    withdrawalsCount: withdrawals.length,
    totalAmount: sum(amounts),
    totalFee: totalFeeOf(tariff, amounts),
    tariff,
  };
}

const debitsOfCreation = (massPayout: SandboxMassPayout): LedgerEntry[] =>
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

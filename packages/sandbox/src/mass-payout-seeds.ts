import { randomUUID } from 'node:crypto';
import type { PayoutState } from '@bursar/merchant-api/spec';
import type { SandboxClock } from './clock.ts';
import { decideCreate } from './core/create.ts';
import { massPayoutEvent } from './core/events.ts';
import type { MassPayoutRequest } from './core/mass-payout.ts';
import { DEFAULT_MODES } from './core/modes.ts';
import { Refused } from './core/refusals.ts';
import { seedMoves, type SeededWithdrawal } from './core/seed.ts';
import { feeOf, type Tariff } from './core/tariff.ts';
import { applyMove, type MoveContext } from './moves.ts';
import { payloadDigest } from './payload-digest.ts';
import type { StepScheduler } from './step-scheduler.ts';
import type { StoredMassPayout } from './store/mass-payouts.ts';

export type MassPayoutSeed = Readonly<{
  account: string;
  state: PayoutState;
  request: MassPayoutRequest;
  /** For each withdrawal of the request. */
  errors: readonly Readonly<{ error: string | null; isErrorResolved: boolean }>[];
  /** Whether it goes on from its state, one step later. */
  moves: boolean;
  /** Whether its events are announced. */
  webhooks: boolean;
}>;

/** Mass payouts that a person puts into the sandbox, in any state. */
export type MassPayoutSeeds = Readonly<{
  /** Throws Refused when the errors do not fit the state, the key was used, or the funds are missing. */
  add(seed: MassPayoutSeed): StoredMassPayout;
}>;

export type MassPayoutSeedsDeps = MoveContext &
  Readonly<{
    clock: SandboxClock;
    scheduler: StepScheduler;
    tariffOf: (currency: string) => Tariff;
  }>;

/** A key is used once, in every mode. */
const MODES = { ...DEFAULT_MODES, idempotency: 'reject-409' } as const;

export function createMassPayoutSeeds(deps: MassPayoutSeedsDeps): MassPayoutSeeds {
  const { store } = deps;
  return { add: (seed) => store.transaction(() => add(deps, seed)) };
}

function add(deps: MassPayoutSeedsDeps, seed: MassPayoutSeed): StoredMassPayout {
  const { store, stepMs, tariffOf } = deps;
  const { request } = seed;
  const nowMs = deps.clock.nowMs();
  const announcer = seed.webhooks ? deps.announcer : { announce: () => 0 };
  const decision = decideCreate(factsOf(deps, seed, nowMs), { modes: MODES, tariffOf, stepMs });
  if (decision.kind !== 'accept') throw new Refused(codeOf(decision));
  const payloadSha256 = payloadDigest(request);
  const digests = { payloadSha256, bodySha256: payloadSha256 };
  const n = store.massPayouts.insert(decision.massPayout, digests);
  store.withdrawals.insert(n, request.withdrawals);
  store.ledger.post(decision.entries);
  announcer.announce(massPayoutEvent(decision.massPayout));
  const dueMs = seed.moves ? nowMs + stepMs : null;
  const withdrawals = seededOf(seed, tariffOf(request.currency));
  for (const move of seedMoves({ state: seed.state, dueMs, withdrawals })) {
    applyMove({ ...deps, announcer, nowMs }, store.massPayouts.byNumber(n), move);
  }
  if (dueMs !== null) deps.scheduler.expect(dueMs);
  return store.massPayouts.byNumber(n);
}

function factsOf({ store }: MassPayoutSeedsDeps, seed: MassPayoutSeed, nowMs: number) {
  const { account, request } = seed;
  const earlier = store.massPayouts.byKey(account, request.idempotencyKey);
  const same = { isPayloadEqual: false, isBodyEqual: false };
  return {
    id: randomUUID(),
    account,
    request,
    nowMs,
    key: { isPoisoned: false, earlier: earlier && { ...earlier, ...same } },
    balance: store.ledger.balanceOf(account, request.currency),
  };
}

/** The mode answers an earlier key with a refusal, and never with a replay. */
const codeOf = (decision: Exclude<ReturnType<typeof decideCreate>, { kind: 'accept' }>) =>
  decision.kind === 'refuse' ? decision.code : 'IDEMPOTENCY_KEY_USED';

const seededOf = ({ request, errors }: MassPayoutSeed, tariff: Tariff): SeededWithdrawal[] =>
  request.withdrawals.map(({ amount, fate }, at) => ({
    position: at + 1,
    fate,
    cost: { amount, fee: feeOf(tariff, amount).total },
    error: errors[at]?.error ?? null,
    isErrorResolved: errors[at]?.isErrorResolved ?? false,
  }));

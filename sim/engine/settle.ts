import { REOPENED_MAX } from '../../src/domain/lineage/follow.ts';
import {
  areOthersDue,
  HITS_MIN,
  wasCreatedAgain,
  wasSentOnMisses,
} from '../../src/domain/sending/evidence.ts';
import { HIDDEN_TEXT } from '../../src/domain/sending/reduce.ts';
import {
  type ReportedOutcomes,
  mergeRecheck,
  reopenOutcomes as reopenedVerdict,
} from '../../src/domain/lineage/merge-recheck.ts';
import {
  isEndState,
  hidesName,
  isEachLookedUp,
  isSoftEnd,
  outcomesOf,
  type MassPayoutFacts,
  namedBy,
  needsSecondRead,
} from '../../src/domain/settling/payout-outcomes.ts';
import {
  isPatienceOver,
  lookupToKeep,
  countingLookups,
  withdrawalsToLookUp,
  withdrawalFingerprints,
  payoutFingerprint,
} from '../../src/domain/settling/withdrawal-lookups.ts';
import type { ChunkOutcomes } from '../../src/domain/settling/outcome.ts';
import { createRowFinder } from '../../src/domain/settling/withdrawals.ts';
import { isMissAlone } from '../careless.ts';
import { factsOf, recordOf } from '../service/payouts.ts';
import { WINDOW_MS } from '../setting.ts';
import { distrust, type Engine } from './engine.ts';
import { lookUpKey, seenPayout } from './look-up.ts';
import type { SimChunk } from './store.ts';
import { ask } from './wire.ts';
import type { Steps } from './workers.ts';

export const BATCH_CODE = 'abcdefgh';

/** How long what stays unclear is waited for, as in the engine. */
const PATIENCE_MS = 300_000;

export type Settled = 'settled' | 'open' | 'unsent';

/** Reads a mass payout by a signed read; undefined when nothing can be said of it this time. */
export function* readPayout(
  { world, service }: Engine,
  id: string,
): Steps<MassPayoutFacts | 'refused' | undefined> {
  const told = yield* ask(world, service, () => service.byId(id));
  if (told === undefined) return undefined;
  return told.value === undefined ? 'refused' : factsOf(told.value);
}

function* readTwiceIfNeeded(
  engine: Engine,
  id: string,
): Steps<MassPayoutFacts | string | undefined> {
  const first = yield* readPayout(engine, id);
  if (first === undefined || first === 'refused' || !needsSecondRead(first)) return first;
  const second = yield* readPayout(engine, id);
  if (second === undefined || second === 'refused') return second;
  return second.state === first.state ? second : 'unsure';
}

/** One look at one withdrawal's own record. */
export function* lookUpWithdrawal({ world, service }: Engine, withdrawalId: string) {
  if (!world.setting.hasLookup) {
    yield 1;
    return 'unavailable' as const;
  }
  const told = yield* ask(world, service, () =>
    service.payouts.all.flatMap((payout) =>
      payout.withdrawals
        .filter(({ id }) => id === withdrawalId)
        .map((withdrawal) => recordOf(withdrawal, payout)),
    ),
  );
  return told === undefined ? ('failed' as const) : (told.value[0] ?? ('missing' as const));
}

/** Learns what became of a chunk that was created. */
export function* settle(engine: Engine, chunk: SimChunk): Steps<Settled> {
  const { store } = engine;
  const { send, final, reopened } = store.facts(chunk.key);
  const { payout } = send.record;
  if (final) return 'settled';
  if (payout === undefined || send.state !== 'CREATED') return 'unsent';
  if (payout.differences.length > 0) return 'unsent';
  const told = yield* readTwiceIfNeeded(engine, payout.id);
  if (told === undefined || typeof told === 'string') return 'open';
  if (isEndState(told.state)) {
    const sought = yield* lookForOthers(engine, chunk);
    if (sought !== 'alone') return sought === 'others' ? 'unsent' : 'open';
  }
  return yield* judge(engine, chunk, { payout: told, reopened });
}

/** Looks for a second mass payout of a chunk of which a second create left. */
function* lookForOthers(engine: Engine, chunk: SimChunk): Steps<'alone' | 'others' | 'unanswered'> {
  const { store, world, careless } = engine;
  const { record } = store.facts(chunk.key).send;
  if (!wasCreatedAgain(record) || careless === 'never-looks-again') return 'alone';
  const fence = { timestampWindowMs: WINDOW_MS, fenceMarginMs: world.clocks.marginMs };
  const now = { nowMs: world.clocks.wallMs(), reading: world.clocks.openSteadyClock()() };
  if (careless !== 'ends-early' && !areOthersDue(record, fence, now)) return 'unanswered';
  const mustBeFound = world.setting.resend !== 'fenced' && wasSentOnMisses(record);
  const known = new Set([record.payout?.id, ...(record.others ?? [])]);
  let failures = 0;
  for (let answers = 0; answers < HITS_MIN; ) {
    const { result, payout } = yield* lookUpKey(engine, chunk.key);
    if (payout !== undefined && !known.has(payout.id)) {
      store.apply(chunk.key, { kind: 'payout-read', payout: seenPayout(chunk, payout) });
      return 'others';
    }
    if (mustBeFound && result === 'missed' && !isMissAlone(careless)) {
      distrust(engine);
      store.disown(chunk.key, HIDDEN_TEXT);
      return 'others';
    }
    if (result === 'failed') failures += 1;
    else answers += 1;
    if (failures >= HITS_MIN) return 'unanswered';
  }
  return 'alone';
}

function* judge(
  engine: Engine,
  chunk: SimChunk,
  { payout, reopened }: Readonly<{ payout: MassPayoutFacts; reopened: number }>,
): Steps<Settled> {
  const { world, store } = engine;
  const { lookups } = store.facts(chunk.key);
  const fingerprints = withdrawalFingerprints(payout);
  for (const id of withdrawalsToLookUp(payout, lookups, 100)) {
    const result = yield* lookUpWithdrawal(engine, id);
    const kept = { result, fingerprint: fingerprints.get(id) ?? '', atMs: world.agenda.nowMs() };
    const now = store.facts(chunk.key).lookups;
    now.set(id, lookupToKeep(now.get(id), kept));
  }
  const facts = store.facts(chunk.key);
  const counting = countingLookups(payout, facts.lookups);
  const isThrough = isEachLookedUp({ payout, lookups: counting });
  const nowMs = world.agenda.nowMs();
  const unclearSinceMs =
    (namedBy(payout).length > 0 || hidesName(payout)) && isThrough
      ? (facts.unclearSinceMs ?? nowMs)
      : null;
  const outcomes = outcomesOf({
    payout,
    findRows: createRowFinder(chunk.rows, BATCH_CODE),
    lookups: counting,
    patienceOver:
      unclearSinceMs !== null &&
      isPatienceOver(payout, facts.lookups, {
        sinceMs: unclearSinceMs,
        patienceMs: PATIENCE_MS,
        nowMs,
      }),
  });
  return save(engine, chunk, { payout, outcomes, unclearSinceMs, reopened });
}

type Judged = Readonly<{
  payout: MassPayoutFacts;
  outcomes: ChunkOutcomes;
  unclearSinceMs: number | null;
  reopened: number;
}>;

/** Stores outcomes, unless another worker has changed the chunk since its mass payout was read. */
function save(
  engine: Engine,
  chunk: SimChunk,
  { payout, outcomes: fresh, unclearSinceMs, reopened }: Judged,
): Settled {
  const { world, store, careless, shown } = engine;
  const facts = store.facts(chunk.key);
  if (facts.final || facts.reopened !== reopened || facts.send.state !== 'CREATED') return 'open';
  const isMerged = reopened > 0 && careless !== 'forgets-paid';
  const outcomes = isMerged ? mergedWith(facts.outcomes, chunk, fresh) : fresh;
  shown.note(chunk, outcomes);
  facts.outcomes = outcomes;
  facts.final = outcomes.final;
  facts.unclearSinceMs = outcomes.final ? null : unclearSinceMs;
  facts.payoutFingerprint = isSoftEnd(outcomes) ? payoutFingerprint(payout) : null;
  if (outcomes.final || namedBy(payout).length === 0) facts.lookups = new Map();
  world.note(() => `engine: ${chunk.key} is judged ${JSON.stringify(outcomes)}`);
  return outcomes.final ? 'settled' : 'open';
}

const knownOf = ({ defaultOutcome: rest, rows }: ChunkOutcomes): ReportedOutcomes => ({
  defaultOutcome: rest,
  rows: new Map(rows.map((each) => [each.row, each])),
});

const rowsOf = ({ rows }: SimChunk) => rows.map(({ row }) => row);

/** The outcomes of a reopened chunk, as in the engine. */
const mergedWith = (known: ChunkOutcomes, chunk: SimChunk, fresh: ChunkOutcomes): ChunkOutcomes => {
  const later = { fresh, coversAllRows: true, rows: rowsOf(chunk), unknownStays: () => true };
  return { ...mergeRecheck(knownOf(known), later).merged, final: fresh.final };
};

/** Takes an end back that people have changed in the service's own interface. */
export function* settleAgain(engine: Engine, chunk: SimChunk): Steps<Settled> {
  const { store } = engine;
  const { send, payoutFingerprint: before, reopened, final } = store.facts(chunk.key);
  const { payout } = send.record;
  if (!final || payout === undefined || before === null || reopened >= REOPENED_MAX) {
    return final ? 'settled' : 'open';
  }
  const told = yield* readTwiceIfNeeded(engine, payout.id);
  if (told === undefined || told === 'refused') return 'settled';
  if (typeof told !== 'string' && payoutFingerprint(told) === before) return 'settled';
  const facts = store.facts(chunk.key);
  if (facts.reopened !== reopened || !facts.final) return facts.final ? 'settled' : 'open';
  const wasReopened = facts.reopened > 0;
  facts.outcomes = {
    ...reopenedVerdict(knownOf(facts.outcomes), {
      rows: rowsOf(chunk),
      unknownStays: () => wasReopened,
    }),
    massPayoutState: facts.outcomes.massPayoutState,
    final: false,
  };
  facts.final = false;
  facts.reopened += 1;
  if (typeof told === 'string') return 'open';
  return yield* judge(engine, chunk, { payout: told, reopened: facts.reopened });
}

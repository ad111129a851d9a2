import type { SendCommand } from '../../src/domain/sending/decide.ts';
import { classifyCreate } from '../../src/domain/sending/doubt.ts';
import { isWorthNothing } from '../../src/domain/sending/lookups.ts';
import { elapsedMsAt, mayLeave, mayStillSend } from '../../src/domain/sending/fence.ts';
import type { SendState } from '../../src/domain/sending/reduce.ts';
import type { AttemptOutcome, ClockReading, Lookup } from '../../src/domain/sending/send-record.ts';
import { wasFoundAfterMiss } from '../../src/domain/sending/evidence.ts';
import { distrust, type Engine, policyOf, SEND_BUDGET_MS } from './engine.ts';
import { commandFor, doubtedRecord, type Known, readAgain } from './known.ts';
import { checkSend } from './laws-of-sending.ts';
import { lookUpKey, proveAgain, proveLookup, seenPayout } from './look-up.ts';
import type { SimChunk } from './store.ts';
import { ask, sendCreate } from './wire.ts';
import type { Steps } from './workers.ts';

/** What one activity of sending comes to. */
export type SendStep =
  | Exclude<SendCommand, { kind: 'lookup' | 'read' | 'verify-lookup' | 'attempt' | 'withdraw' }>
  | Readonly<{ kind: 'held' }>;

export type SendInput = Readonly<{
  chunk: SimChunk;
  /** All chunks of all generations. */
  chunks: readonly SimChunk[];
  provesLookup: boolean;
  /** What must hold before a chunk of a resend may leave; answers whether it still does. */
  confirm?: () => Steps<'unpaid' | 'outdated' | 'unread'>;
}>;

/** How much time has passed for an engine that believes any `Date`. */
const FOR_EVER_MS = 1_000_000_000;
/** Even a blind engine has to come to an end where a service refuses it for ever. */
const BLIND_SENDS_MAX = 50;

/** A sending that has begun, on some machine. */
type Sending = SendInput & Readonly<{ begunAtMs: number; readClock: () => ClockReading }>;

/** The loop of the engine's own activity: carries out one command after another until there is nothing to do at once. */
export function* sendChunk(engine: Engine, input: SendInput): Steps<SendStep> {
  const { world } = engine;
  const { chunk } = input;
  const wasCreated = engine.seenCreated.has(chunk.key);
  const begunAtMs = world.clocks.wallMs();
  const readClock = world.clocks.openSteadyClock();
  let known = readAgain(engine, chunk, readClock);
  for (;;) {
    yield world.random.between(1, 20);
    const sending = { ...input, wasCreated, begunAtMs, readClock };
    const next: SendStep | Known = yield* advance(engine, sending, known);
    if ('send' in next) {
      known = next;
      continue;
    }
    const isChanged = next.kind === 'created' && (yield* afterCreate(engine, sending));
    if (!isChanged) return next;
    known = readAgain(engine, chunk, readClock);
  }
}

/** Learns from a chunk that has its mass payout what lookups are worth; answers whether the service showed another one. */
function* afterCreate(engine: Engine, { chunk, provesLookup, readClock }: Sending): Steps<boolean> {
  const { store } = engine;
  const policy = policyOf(engine, { wasCreated: false });
  if (wasFoundAfterMiss(doubtedRecord(readAgain(engine, chunk, readClock)), policy)) {
    distrust(engine);
    return false;
  }
  const { proof, isDisproven } = store.flags();
  if (isDisproven || (!provesLookup && proof !== null)) return false;
  return yield* proveLookup(engine, chunk);
}

function* advance(
  engine: Engine,
  input: Sending & Readonly<{ wasCreated: boolean }>,
  known: Known,
): Steps<SendStep | Known> {
  const { chunk, chunks, wasCreated, readClock } = input;
  const { world, careless, store } = engine;
  const { send, lookupCheck } = known;
  const proven = lookupCheck === undefined ? {} : { lookupCheck };
  const command = commandFor(engine, known, wasCreated);
  world.note(() => `engine: ${chunk.key} ${JSON.stringify(command)}`);
  switch (command.kind) {
    case 'lookup': {
      const next = yield* lookUp(engine, input, known);
      return 'send' in next ? { ...next, ...proven } : next;
    }
    case 'verified': {
      const { by } = command;
      const decided = { attempts: send.record.attempts.length, from: send.state };
      const isSound = by === 'refusal' || !store.flags().isDisproven;
      const isSame = known.restore?.epoch === store.flags().restore?.epoch;
      if (isSound && isSame && store.apply(chunk.key, { kind: 'verified', by, ...decided })) {
        world.count('chunk verified');
      }
      return { ...readAgain(engine, chunk, readClock), ...proven };
    }
    case 'read':
      yield* readAdopted(engine, chunk, command.massPayoutId);
      return readAgain(engine, chunk, readClock);
    case 'verify-lookup': {
      const atMs = world.clocks.wallMs();
      const isBlind = careless === 'no-fence' || careless === 'stale-facts';
      return {
        ...known,
        lookupCheck: isBlind ? { result: 'found', atMs } : yield* proveAgain(engine, chunks),
      };
    }
    case 'withdraw': {
      const attempts = send.record.attempts.length;
      const isTaken = store.apply(chunk.key, { kind: 'question-withdrawn', attempts });
      if (isTaken) world.count('question withdrawn');
      return readAgain(engine, chunk, readClock);
    }
    case 'attempt':
      return (yield* attempt(engine, input, command.n)) ?? readAgain(engine, chunk, readClock);
    default:
      return conclude(engine, chunk, { command, send }) ?? readAgain(engine, chunk, readClock);
  }
}

function* lookUp(
  engine: Engine,
  { chunk, readClock }: Sending,
  known: Known,
): Steps<SendStep | Known> {
  const { world, store, careless } = engine;
  const { send, restore } = known;
  const { record } = send;
  const attempts = record.attempts.length;
  const askedAtMs = world.clocks.wallMs();
  const before = readClock();
  const { result, payout, serverDateMs } = yield* lookUpKey(engine, chunk.key);
  const after = readClock();
  const isStale = careless === 'stale-facts';
  const asked = isStale ? after : before;
  const atMs = isStale ? world.clocks.wallMs() : askedAtMs;
  const elapsedMs = elapsedMsAt(doubtedRecord(known), asked);
  const date =
    serverDateMs === undefined ? {} : { serverDateMs: serverDateMs - (after.ms - asked.ms) };
  const time =
    careless === 'single-date' && serverDateMs !== undefined
      ? {
          elapsedMs: elapsedMs + FOR_EVER_MS,
          serverDateMs,
          asked: { clock: `once-${after.ms}`, ms: 0 },
        }
      : { ...date, asked, elapsedMs };
  const epoch = restore === undefined ? {} : { epoch: restore.epoch };
  const lookup: Lookup = { atMs, attempts, result, ...time, ...epoch };
  const isFirst = attempts === 0 && restore === undefined;
  if (isFirst && isWorthNothing(record, result)) {
    return {
      ...known,
      send: { ...send, record: { ...record, lookups: [...record.lookups, lookup] } },
    };
  }
  if (payout !== undefined && record.payout === undefined) world.count('recovered');
  const found = payout === undefined ? {} : { payout: seenPayout(chunk, payout) };
  store.apply(chunk.key, { kind: 'looked-up', lookup, ...found });
  const isForgotten = store.facts(chunk.key).send.record.attempts.length === 0;
  if (isForgotten && restore === undefined && found.payout?.differences.length === 0) {
    store.raise(world.clocks.wallMs());
  }
  const last = record.attempts.at(-1);
  if (careless === 'miss-is-failed' && result === 'missed' && last !== undefined) {
    store.apply(chunk.key, { kind: 'rejected', attempts, from: send.state });
    return { kind: 'rejected', attempt: last };
  }
  return readAgain(engine, chunk, readClock);
}

function* readAdopted(engine: Engine, chunk: SimChunk, massPayoutId: string): Steps<void> {
  const { world, service, store } = engine;
  const told = yield* ask(world, service, () => service.byId(massPayoutId));
  if (told === undefined) return;
  const { value } = told;
  const payout = value === undefined ? undefined : seenPayout(chunk, value);
  if (payout !== undefined) store.apply(chunk.key, { kind: 'payout-read', payout });
  if (payout === undefined || payout.differences.length > 0) {
    store.apply(chunk.key, { kind: 'answer-dropped', massPayoutId });
  }
}

/** One attempt: written down, then sent once, then written down how it ended. Undefined: look at the facts again. */
function* attempt(
  engine: Engine,
  { chunk, confirm, begunAtMs, readClock }: Sending,
  n: number,
): Steps<SendStep | undefined> {
  const { world, service, store, workers, careless } = engine;
  if (confirm !== undefined) {
    const said = yield* confirm();
    if (said === 'unread') {
      const untilMs = world.clocks.wallMs() + 30_000;
      return { kind: 'wait', untilMs, why: 'a question got no answer', inDoubt: false };
    }
    if (said === 'outdated') {
      const { state: from } = store.facts(chunk.key).send;
      store.apply(chunk.key, { kind: 'not-sent', attempts: n - 1, from });
      return undefined;
    }
  }
  yield world.random.below(50);
  const { paused, held } = store.flags();
  if ((paused || held) && careless !== 'ignores-pauses') return { kind: 'held' };
  const timestampMs = world.clocks.wallMs();
  const [begun, begunMs] = [readClock(), world.agenda.nowMs()];
  if (!mayStillSend(begunAtMs, timestampMs) && careless !== 'stale-facts') {
    return { kind: 'wait', untilMs: timestampMs, why: 'it took too long', inDoubt: n > 1 };
  }
  const before = store.facts(chunk.key).send.record;
  const listed = store.listed(chunk.key, n);
  const unlist = workers.listUnsent(() => {
    if (listed.end(world.clocks.wallMs())) world.count('unsent attempt');
  });
  if (!store.apply(chunk.key, { kind: 'attempt-began', n, timestampMs, begun })) {
    yield 1_000;
    return undefined;
  }
  listed.began();
  if (n > 1 && before.attempts.some(({ outcome }) => outcome === 'AMBIGUOUS')) {
    world.count('sent again after the fence');
  }
  yield world.random.below(20);
  const moment = { nowMs: world.clocks.wallMs(), sendBudgetMs: SEND_BUDGET_MS };
  if (!mayLeave({ timestampMs }, moment) && careless !== 'sign-at-send') {
    world.count('void attempt');
    end(engine, chunk, { n, outcome: 'VOID' });
    return undefined;
  }
  if (careless !== 'unlists-late') unlist();
  // A process can be frozen here too, with nothing of its own left to stop it.
  yield world.random.below(3);
  const signedMs = careless === 'sign-at-send' ? world.clocks.wallMs() : timestampMs;
  checkSend(engine, chunk, { signedMs, begunMs });
  world.count('create sent');
  const { key, rows } = chunk;
  const body = careless === 'other-body' && n > 1 ? `${chunk.body} again` : chunk.body;
  const request = { key, body, rows, timestampMs: signedMs };
  const { facts, payout } = yield* sendCreate(world, service, request);
  unlist();
  const honest = classifyCreate(facts);
  if (honest === 'AMBIGUOUS') world.count('create in doubt');
  const isBlind = careless === 'blind-resend' && n < BLIND_SENDS_MAX;
  const outcome = isBlind && honest === 'AMBIGUOUS' ? 'NOT_SENT' : honest;
  const seen = payout === undefined ? {} : { payout: seenPayout(chunk, payout) };
  end(engine, chunk, { n, outcome, ...seen });
  return undefined;
}

type End = Readonly<{ n: number; outcome: AttemptOutcome; payout?: ReturnType<typeof seenPayout> }>;

function end({ world, store }: Engine, chunk: SimChunk, { n, outcome, payout }: End): void {
  const found = payout === undefined ? {} : { payout };
  const ended = { n, outcome, endedMs: world.clocks.wallMs() };
  store.apply(chunk.key, { kind: 'attempt-ended', end: ended, ...found });
}

type LastCommand = Exclude<
  SendCommand,
  { kind: 'lookup' | 'read' | 'verify-lookup' | 'attempt' | 'withdraw' }
>;

function conclude(
  engine: Engine,
  { key }: SimChunk,
  { command, send }: Readonly<{ command: LastCommand; send: SendState }>,
): SendStep | undefined {
  const { store } = engine;
  const { record, state: from } = send;
  const attempts = record.attempts.length;
  switch (command.kind) {
    case 'rejected':
      return from === 'REJECTED' || store.apply(key, { kind: 'rejected', attempts, from })
        ? command
        : undefined;
    case 'closed':
      return from === 'NOT_SENT' || store.apply(key, { kind: 'not-sent', attempts, from })
        ? command
        : undefined;
    case 'abandoned':
      store.apply(key, { kind: 'abandoned' });
      return command;
    case 'needs-operator':
      if (command.reason === 'TWO_PAYOUTS') distrust(engine);
      return store.apply(key, { kind: 'asked-operator', attempts, from, reason: command.reason })
        ? command
        : undefined;
    case 'created':
    case 'asked':
    case 'wait':
      return command;
  }
}

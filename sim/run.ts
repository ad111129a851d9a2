import { denyPaidRows, takeTwice, topUp } from './account-faults.ts';
import { createAgenda } from './agenda.ts';
import type { Carelessness } from './careless.ts';
import { type ClockSetting, createClocks, drawClocks } from './clocks.ts';
import { type Batch, chunksOf, startBatch } from './engine/batch.ts';
import { openBalance } from './engine/balance.ts';
import { type Engine, KEY_BEFORE } from './engine/engine.ts';
import { createShown } from './engine/laws-of-outcomes.ts';
import { untilReleased } from './engine/release.ts';
import { confirmUnpaid, unpaidRows } from './engine/resend.ts';
import { createStore, type SimChunk } from './engine/store.ts';
import { createWorkers } from './engine/workers.ts';
import { checkAtEnd, checkAtRest } from './laws-at-rest.ts';
import type { Law } from './laws.ts';
import { drawObstacles } from './obstacles.ts';
import { createOperator } from './people.ts';
import { createRandom } from './random.ts';
import { rowsOf } from './rows.ts';
import { createBank } from './service/bank.ts';
import { createLedger } from './service/ledger.ts';
import type { ModelPayout } from './service/payouts.ts';
import { createService } from './service/service.ts';
import { drawSetting, type Setting } from './setting.ts';
import { createTeller } from './teller.ts';
import type { Fault, Sight, World } from './world.ts';

/** What came of one seed. */
export type Run = Readonly<{
  seed: number;
  setting: Setting & Readonly<{ clocks: ClockSetting }>;
  broken: readonly Readonly<{ law: Law; why: string }>[];
  counts: ReadonlyMap<Fault | Sight, number>;
  trace: readonly string[];
}>;

export type RunOptions = Readonly<{ traces?: boolean; careless?: Carelessness | undefined }>;

const START_MS = 1_800_000_000_000;
const DAY_MS = 86_400_000;
/** Every world is over by then: three batches one after the other, of a service that shows each half a day later. */
const LIFE_MS = 3 * DAY_MS;
const MINUTE_MS = 60_000;
const GENERATIONS_MAX = 3;
const CLOCK_SEED = 0x0c10_c4ed;
/** The worlds of `test/sim/careless.test.ts` keep the order of the network by it. */
const ORDER_SEED = 0x0015_de92;
/** In half of all worlds, of steps that come close after one another, this share is overtaken by the next. */
const OVERTAKING_SHARE = 0.3;

/** Lives one world to its end, in virtual time; the same seed always lives the same one. */
export function runSeed(seed: number, { traces = false, careless }: RunOptions = {}): Run {
  const random = createRandom(seed);
  const setting = drawSetting(random, { isRestoreTold: seed % 2 === 1 });
  // A chance of their own, so that clocks and orders change no other fault of a world.
  const orders = createRandom(seed ^ ORDER_SEED);
  const overtakingShare = orders.happens(0.5) ? OVERTAKING_SHARE : 0;
  const agenda = createAgenda(START_MS, () => {
    const isOvertaken = orders.happens(overtakingShare);
    if (isOvertaken) count('step overtaken');
    return isOvertaken;
  });
  const ticks = createRandom(seed ^ CLOCK_SEED);
  const clockSetting = drawClocks(ticks, setting);
  const counts = new Map<Fault | Sight, number>();
  const broken: { law: Law; why: string }[] = [];
  const trace: string[] = [];
  const note = (text: () => string): void => {
    if (traces) trace.push(`${((agenda.nowMs() - START_MS) / 1_000).toFixed(3)} ${text()}`);
  };
  const count = (what: Fault | Sight): void => {
    counts.set(what, (counts.get(what) ?? 0) + 1);
    note(() => `- ${what}`);
  };
  const isStormy = (): boolean => agenda.nowMs() < START_MS + setting.stormMs;
  const parts = { times: setting, clocks: clockSetting, count };
  const clocks = createClocks(ticks, agenda, parts);
  const world: World = {
    random,
    agenda,
    clocks,
    setting,
    note,
    count,
    isStormy,
    pauses: [],
    strikes(fault, share) {
      if (share === 0 || !isStormy() || !random.happens(share)) return false;
      count(fault);
      return true;
    },
    broke(law, why) {
      broken.push({ law, why });
      note(() => `!! ${law} broken: ${why}`);
    },
  };
  live({ world, seed, careless }, (what) => broken.push(what));
  return { seed, setting: { ...setting, clocks: clockSetting }, broken, counts, trace };
}

type Lived = Readonly<{ world: World; seed: number; careless: Carelessness | undefined }>;

function live(
  { world, seed, careless }: Lived,
  broke: (what: Readonly<{ law: Law; why: string }>) => void,
): void {
  const { agenda, setting } = world;
  const ledger = createLedger(world);
  const batches: Batch[] = [];
  const chunks: SimChunk[] = [];
  let tell: (payout: ModelPayout) => void = () => undefined;
  const service = createService(world, ledger, (payout) => tell(payout));
  let isStopped = false;
  const engine: Engine = {
    world,
    service,
    ledger,
    careless,
    store: createStore(world, careless),
    bank: createBank(world, ledger, seed),
    shown: createShown(world),
    workers: createWorkers(world),
    seenCreated: new Set(),
    released: new Set(),
    isStopping: () => isStopped,
  };
  if (setting.kind === 'garbage') {
    // The account has paid before, and its lookups found what it paid.
    const was = { id: 'mp-before', key: KEY_BEFORE, body: '', visibleMs: 0 };
    service.payouts.create(was, []);
    engine.store.flags().proof = { lagMs: setting.lookupLagMs, provenAtMs: 0 };
  }
  const claimed = new Set<number>();
  const named = new Set<number>();
  tell = createTeller(engine, batches);
  const people = createOperator(engine);

  function begin(generation: number, own: readonly SimChunk[]): void {
    const confirm =
      generation === 0
        ? undefined
        : () =>
            confirmUnpaid(
              engine,
              own.flatMap(({ rows }) => rows),
              { earlier: chunks.filter((chunk) => chunk.generation < generation), all: chunks },
            );
    const balance = openBalance(engine, chunks);
    chunks.push(...own);
    batches.push(
      startBatch(
        { engine, people, chunks },
        { generation, chunks: own, ...(confirm === undefined ? {} : { confirm }) },
        () => {
          for (const row of checkAtEnd(engine, own, balance.conclude())) named.add(row);
          afterEnd(generation);
        },
      ),
    );
  }

  /** People send failed rows again in the service, and then say that they have, or begin a resend of ours. */
  function afterEnd(generation: number): void {
    world.agenda.after(world.random.between(MINUTE_MS, 60 * MINUTE_MS), () => {
      if (generation + 1 < GENERATIONS_MAX && world.random.happens(0.8)) resend(generation + 1);
    });
  }

  function resend(generation: number): void {
    const rows = unpaidRows(engine, chunks);
    if (rows.length === 0) return;
    // From here on it is stated that nothing is resent elsewhere.
    for (const { row } of rows) claimed.add(row);
    isStopped = false;
    const confirm = () => confirmUnpaid(engine, rows, { earlier: chunks, all: chunks });
    const obstacles = drawObstacles(seed, generation);
    untilReleased(engine, { obstacles, confirm }, (end) => {
      if (end !== 'released') {
        world.count('resend refused');
        for (const { row } of rows) claimed.delete(row);
        return;
      }
      world.count('resend begun');
      engine.released.add(generation);
      begin(generation, chunksOf(rows, { generation, rowsOfChunk: setting.rowsOfChunk }));
    });
  }

  const first = { obstacles: drawObstacles(seed, 0), confirm: undefined };
  untilReleased(engine, first, (end) => {
    // A batch that was not released ends as one that a person stopped: it closes its chunks, and sends nothing.
    if (end === 'released') engine.released.add(0);
    else isStopped = true;
    begin(0, chunksOf(rowsOf(world), { generation: 0, rowsOfChunk: setting.rowsOfChunk }));
  });
  disturb(engine, {
    cancel: () => {
      isStopped = true;
    },
    // Nobody but the person could prevent that they pay a row themselves by two mass payouts.
    mayBePaid: (row) => !claimed.has(row) && !ledger.isPaid(row) && !ledger.isLive(row),
    isOver: () => batches.some(({ ended }) => ended),
  });
  denyPaidRows(engine, seed);
  takeTwice(engine, seed);
  topUp(engine, seed);
  const isOver = agenda.run(START_MS + LIFE_MS);
  if (!isOver) broke({ law: 'I8', why: 'something goes on for ever' });
  for (const batch of batches) batch.lookLater(() => undefined);
  agenda.run(START_MS + LIFE_MS + DAY_MS);
  // What a second look makes of what the first one left.
  for (const batch of batches) batch.lookLater(() => undefined);
  agenda.run(START_MS + LIFE_MS + 2 * DAY_MS);
  checkAtRest(engine, { batches, chunks, named });
}

type Disturbed = Readonly<{
  cancel(): void;
  mayBePaid(row: number): boolean;
  /** Whether a batch has ended: then nobody waits for what its store has lost. */
  isOver(): boolean;
}>;

/**
 * Nobody waits for what may be on its way, and Temporal has lost what it knew; but the engine is told, and the batch is paused until
 * somebody has looked.
 */
function bringBackAtOnce({ world, store, workers, seenCreated }: Engine, restore: () => void) {
  const { agenda, random } = world;
  world.count('store brought back at once, and Temporal lost');
  workers.stopFor(random.below(MINUTE_MS), () => {
    restore();
    seenCreated.clear();
    store.raise(world.clocks.wallMs());
    store.flags().paused = true;
    agenda.after(random.below(10 * MINUTE_MS), () => {
      // Whoever resumes it then resumes it whatever it was paused for before.
      for (const one of world.pauses) one.toMs = Math.min(one.toMs, agenda.nowMs());
      store.flags().paused = false;
    });
  });
}

/** How long it takes to bring a store back, in milliseconds: longer than anything can be on its way. */
const RESTORE_MS = 960_000;
const LOOKS_OF_PEOPLE = 20;

/** What people do to a batch, and to its store, while it is under way. */
function disturb(engine: Engine, { cancel, mayBePaid, isOver }: Disturbed): void {
  const { world, store, workers, service } = engine;
  const { agenda, random, setting } = world;
  const { cancelAfterMs, pauseAfterMs, restoreAfterMs, isRestoreTold, shares } = setting;
  if (cancelAfterMs !== null) {
    agenda.after(cancelAfterMs, () => {
      world.count('batch canceled');
      cancel();
    });
  }
  if (pauseAfterMs !== null) {
    agenda.after(pauseAfterMs, () => {
      world.count('batch paused');
      store.flags().paused = true;
      const pauseMs = random.between(MINUTE_MS, 20 * MINUTE_MS);
      world.pauses.push({ fromMs: agenda.nowMs(), toMs: agenda.nowMs() + pauseMs });
      agenda.after(pauseMs, () => {
        store.flags().paused = false;
      });
    });
  }
  // A store that forgot both a create and that its batch was stopped tells the truth only after the look that follows.
  const isLeftAlone = pauseAfterMs === null && cancelAfterMs === null;
  if (restoreAfterMs !== null && (isRestoreTold || isLeftAlone)) {
    let older = store.copy();
    agenda.after(random.below(restoreAfterMs), () => {
      older = store.copy();
    });
    agenda.after(restoreAfterMs, () => {
      if (isOver()) return;
      if (isRestoreTold) return bringBackAtOnce(engine, () => store.restore(older));
      world.count('store brought back from an older copy');
      workers.stopFor(RESTORE_MS, () => store.restore(older));
    });
  }
  for (let lookup = 0; lookup < LOOKS_OF_PEOPLE; lookup += 1) {
    agenda.after(random.below(4 * 60 * MINUTE_MS), () => {
      const [payout] = service.payouts.all.length === 0 ? [] : [random.pick(service.payouts.all)];
      if (payout !== undefined && random.happens(shares.uiResend)) {
        service.payouts.resend(payout, mayBePaid);
      }
    });
  }
}

import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Evidence, ToldBatch } from './evidence/evidence.ts';
import { readRecordsOf, toldOf } from './evidence/gather.ts';
import { type Broken, brokenLaws } from './evidence/laws.ts';
import { findLeaks } from './evidence/leaks.ts';
import type { FaultCounts } from './faults/fault.ts';
import { planFaults } from './faults/plan.ts';
import type { Options } from './options.ts';
import { parentIdOf, submitAll } from './people/payroll.ts';
import { createPerson, isEnded } from './people/person.ts';
import { type Ground, openStage, SERVER_FOLDER, type Stage } from './stage.ts';
import { OBJECTS_FOLDER } from './stack/object-store.ts';
import { TIMESTAMP_WINDOW_MS } from './stack/settings.ts';

/** How long everything may take to come to its end after the last fault, and how much longer for each batch that is open then; milliseconds. */
const SETTLE_MS = 300_000;
const SETTLE_MS_PER_BATCH = 30_000;
const LOOK_MS = 500;
/** How long rows that are UNKNOWN when everything has ended may take to be known, and how often that is seen. Milliseconds. */
const FOLLOW_MS = 180_000;
const FOLLOW_LOOK_MS = 5_000;
/** So often people hear how far everything is, in milliseconds. */
const SAY_EVERY_MS = 60_000;
/** Rows whose addresses are looked for where no row may be; of all batches alike. */
const ROWS_HUNTED = 1_000;

type Times = Readonly<{ chaosMs: number; settlingMs: number }>;

/** What came of a run. */
export type ChaosResult = Readonly<{
  options: Options;
  batches: number;
  resends: number;
  /** Rows by the outcome that a report tells; a row that was sent again counts in both batches. */
  rows: Readonly<Record<string, number>>;
  sends: Readonly<{ sends: number; ambiguous: number; recovered: number }>;
  faults: FaultCounts;
  /** How often each command was killed. */
  commandsKilled: Readonly<Record<string, number>>;
  /** What people did, and how often. */
  answers: Readonly<Record<string, number>>;
  times: Times;
  broken: readonly Broken[];
}>;

/** One run, from the first process to the last law. */
export async function runChaos(ground: Ground): Promise<ChaosResult> {
  const stage = await openStage(ground);
  const interrupted = new Promise<never>((_resolve, reject) => {
    ground.signal.addEventListener('abort', () => reject(new Error('interrupted')));
  });
  try {
    return await Promise.race([play(stage), interrupted]);
  } finally {
    await stage.close();
  }
}

async function play(stage: Stage): Promise<ChaosResult> {
  const faults = planFaults(stage);
  stage.say('starting everything');
  await stage.processes.start();
  const person = createPerson(stage);
  const times = await live(stage, person, faults.happen);
  return judge(stage, { times, faults: faults.counts, answers: person.answers });
}

/** Batches are paid while all goes wrong, and come to their end when nothing does any more. */
async function live(
  stage: Stage,
  person: ReturnType<typeof createPerson>,
  happen: () => Promise<void>,
): Promise<Times> {
  let isDone = false;
  const peopleAtWork = person.work(() => isDone);
  const submitted = submitAll(stage);
  while (!(await stage.desk.hasCreates())) await pause(LOOK_MS);
  stage.say('the first batch is being paid: now things go wrong');
  const startMs = performance.now();
  const saying = setInterval(() => {
    stage.say(`${unsettled(stage).length} of ${stage.payrolls.size} batches are open`);
  }, SAY_EVERY_MS).unref();
  await Promise.all([submitted, happen()]);
  person.hurry();
  stage.say('nothing goes wrong any more: waiting for the end of every batch');
  const healedMs = performance.now();
  const settleMs = SETTLE_MS + SETTLE_MS_PER_BATCH * unsettled(stage).length;
  const isOpen = (): boolean => unsettled(stage).length > 0 || person.hasPlans();
  while (isOpen() && performance.now() - healedMs < settleMs) await pause(LOOK_MS);
  await untilKnown(stage);
  isDone = true;
  const settlingMs = performance.now() - healedMs;
  clearInterval(saying);
  await peopleAtWork;
  return { chaosMs: healedMs - startMs, settlingMs };
}

/** What could not be told when a batch ended is looked for again, and told by the next version of its report. */
async function untilKnown(stage: Stage): Promise<void> {
  const endMs = performance.now() + FOLLOW_MS;
  const unknown = (): number => outcomesOf(tellAll(stage))['UNKNOWN'] ?? 0;
  while (performance.now() < endMs && unknown() > 0) await pause(FOLLOW_LOOK_MS);
}

const unsettled = ({ payrolls }: Stage): string[] =>
  [...payrolls.values()]
    .filter((payroll) => !isEnded(payroll))
    .map(({ batchId, state }) => `${batchId} is still ${state}`);

type Lived = Pick<ChaosResult, 'times' | 'faults' | 'answers'>;

async function judge(stage: Stage, { times, faults, answers }: Lived): Promise<ChaosResult> {
  const { options, desk, processes, payrolls, settings } = stage;
  const batches = tellAll(stage);
  const [ledger, balances, creates] = [
    await desk.ledger(),
    await desk.balances(),
    await desk.creates(),
  ];
  await processes.stop();
  const { unproven, ...sends } = await readStored(stage);
  const evidence: Evidence = {
    batches,
    ledger,
    balances,
    creates,
    faults,
    unproven,
    timestampWindowMs: TIMESTAMP_WINDOW_MS,
    leaks: await leaksIn(stage, settings.canaries, batches),
    unsettled: unsettled(stage),
    crashes: processes.crashes,
    recovered: sends.recovered,
  };
  return {
    options,
    sends,
    faults,
    answers,
    times,
    batches: batches.length,
    resends: [...payrolls.values()].filter(({ generation }) => generation > 0).length,
    rows: outcomesOf(batches),
    commandsKilled: stage.commands.killed,
    broken: brokenLaws(evidence),
  };
}

/** Reads the store and the copies of files when every program has ended. */
async function readStored({ records, volume, payrolls, objects }: Stage) {
  const server = await objects?.start(join(volume.logs, 's3.judge.log'));
  try {
    return await readRecordsOf({ ...records, disk: volume.path }, [...payrolls.keys()]);
  } finally {
    await server?.stop();
  }
}

/** What the reports say; those of resends are held against those of what they resend. */
function tellAll({ payrolls, volume, settings }: Stage): ToldBatch[] {
  const reports = { dir: join(volume.path, 'runs'), account: settings.account };
  const told = new Map<string, ToldBatch>();
  const inOrder = [...payrolls.values()].sort((a, b) => a.generation - b.generation);
  for (const payroll of inOrder) {
    const parent = told.get(parentIdOf(payroll));
    told.set(payroll.batchId, toldOf(reports, payroll, parent));
  }
  return [...told.values()];
}

function outcomesOf(batches: readonly ToldBatch[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome } of batches.flatMap(({ told }) => told)) {
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

/** Secrets have no business anywhere, rows none in logs and in what Temporal keeps; commands print them to whoever asks. */
async function leaksIn(
  { folder, server, objects, temporal }: Stage,
  secrets: Readonly<Record<string, string>>,
  batches: readonly ToldBatch[],
): Promise<string[]> {
  const addresses = batches.flatMap(({ rows }) => rows.map(({ address }) => address));
  const step = Math.ceil(addresses.length / ROWS_HUNTED);
  const rows = addresses.flatMap((address, at) =>
    at % step === 0 ? [[`address ${at + 1}`, address]] : [],
  );
  const stored = await temporal.storedFiles();
  const everywhere = ['logs/', 'printed/', stored, 'disk/'];
  if (server !== undefined) everywhere.push(`${SERVER_FOLDER}/data/`);
  if (objects !== undefined) everywhere.push(`${OBJECTS_FOLDER}/`);
  return [
    ...(await findLeaks({ folder, places: everywhere, canaries: secrets })),
    ...(await findLeaks({
      folder,
      places: ['logs/', stored],
      canaries: Object.fromEntries(rows) as Record<string, string>,
    })),
  ];
}

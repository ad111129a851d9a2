import { mkdtemp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Env } from '../../config.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { readSnapshot } from '../../operations/batch/standing.ts';
import { withSources } from '../../operations/batch/sources.ts';
import { readSendFigures } from '../../operations/drill/send-figures.ts';
import { makePlan } from '../../operations/file/make-plan.ts';
import type { PlanView } from '../../operations/file/plan-view.ts';
import { isStdin, withSource } from '../../operations/file/source.ts';
import {
  type BatchFlags,
  batchOptionsOf,
  readBatchChoices,
} from '../../operations/input/batch-choices.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import type { Stack } from '../../local-stack/index.ts';
import type { Context } from '../context.ts';
import { type DrillReport, drillReport, drillText } from '../drill/drill-report.ts';
import { type DrillFaultName, readFaultNames, rulesOf } from '../drill/faults.ts';
import { readPaidByService } from '../drill/paid-by-service.ts';
import { printResult } from '../print/output.ts';
import { createSandboxClient } from '../sandbox/client.ts';
import { isolatedEnv } from '../sandbox/isolated-env.ts';
import { submitFile } from './submit.ts';
import { orDeath } from './up.ts';

type DrillFlags = BatchFlags & Readonly<{ file: string; faults?: string; keep?: boolean }>;

/**
 * `bursar drill FILE`: pays the file on a sandbox of its own while things go wrong, and counts what came of it. It uses a folder of its
 * own and free ports, and no setting, store or service of the person. Returns 0 only when every row is accounted for.
 */
export async function drill(flags: DrillFlags, context: Context): Promise<number> {
  const names = readFaultNames(flags.faults);
  if (isStdin(flags.file))
    throw flagInvalid('FILE', 'standard input cannot be read twice; give a file');
  const folder = await mkdtemp(join(context.temporaryDir, 'bursar-drill-'));
  try {
    const report = await runIn(folder, { flags, names }, context);
    if (report === null) return EXIT.interrupted;
    printResult(context, { json: report, text: drillText(report, context) });
    if (flags.keep) context.say(`The files of the drill are in ${folder}`);
    return report.accounted ? EXIT.done : EXIT.needsOperator;
  } finally {
    if (!flags.keep) await rm(folder, { recursive: true, force: true });
  }
}

type Wish = Readonly<{ flags: DrillFlags; names: readonly DrillFaultName[] }>;

/** Starts a stack in a folder, and plays the file there. Returns null when it is interrupted. */
async function runIn(folder: string, wish: Wish, context: Context): Promise<DrillReport | null> {
  const plan = await planIn(folder, wish.flags, context);
  const env = drillEnv(plan, wish.names, context.env);
  const settings = await context.open.settings({ env, cwd: folder });
  context.say(`A sandbox starts with ${wish.names.length} kinds of faults. This takes a while.`);
  const stack = await context.open.stack({
    settings,
    env,
    cwd: folder,
    ports: 'free',
    sandbox: true,
    say: context.show,
  });
  try {
    return await orDeath(stack, play({ stack, folder, plan, wish }, context));
  } finally {
    await stack.stop();
  }
}

/** The plan of the file, by default settings. Throws FILE_ROWS_REFUSED, and the errors of a file that is refused whole. */
async function planIn(folder: string, flags: DrillFlags, context: Context): Promise<PlanView> {
  const { file } = flags;
  const place = { env: isolatedEnv(context.env, {}), cwd: folder };
  const inFolder = inside(context, { place, settings: await context.open.settings(place) });
  const choices = readBatchChoices(choicesOf(flags), context.clock.nowMs());
  return withSource({ file, followLinks: false }, inFolder, async (source) => {
    const { view } = await makePlan(
      {
        source,
        batchId: null,
        optionsWith: (settings) => batchOptionsOf(choices, settings),
        online: false,
        fees: false,
      },
      inFolder,
    );
    const { refused, total } = view.rows;
    if (refused === 0 || flags.skipInvalid) return view;
    const nack = `what "bursar plan ${basename(file)}" shows`;
    throw new BursarError('FILE_ROWS_REFUSED', {
      file: basename(file),
      refused,
      rows: total,
      nack,
    });
  });
}

/** The flags by which the file is read and paid. */
function choicesOf({
  file: _file,
  faults: _faults,
  keep: _keep,
  ...choices
}: DrillFlags): BatchFlags {
  return choices;
}

type Inside = Readonly<{
  place: Readonly<{ env: Env; cwd: string }>;
  settings: Awaited<ReturnType<Context['open']['settings']>>;
}>;

/** The same context with the settings of the drill, for a command that prints nothing. Files of the person keep their paths. */
function inside(context: Context, { place, settings }: Inside): Context {
  const nothing = (): void => undefined;
  const open = { ...context.open, settings: async () => settings };
  return {
    ...context,
    env: place.env,
    open,
    format: 'text',
    mayAsk: false,
    say: nothing,
    print: nothing,
  };
}

/** Enough for every file. */
const BALANCE = '1000000000000';
/** So many create requests that faults meet some of them, and not so many that the drill takes hours. */
const CHUNKS = 24;
const CHUNK_ROWS_MAX = 1_000;

/**
 * The window of timestamps and the fence, in milliseconds: seconds instead of minutes. The rule that they serve is the same, and only a
 * sandbox can be set so.
 */
const WINDOW_MS = 6_000;

function drillEnv({ rows, currencies }: PlanView, names: readonly DrillFaultName[], env: Env): Env {
  const chunkRows = Math.min(CHUNK_ROWS_MAX, Math.max(1, Math.ceil(rows.accepted / CHUNKS)));
  const balances = Object.fromEntries(currencies.map(({ currency }) => [currency, BALANCE]));
  return {
    ...isolatedEnv(env, { BURSAR_SANDBOX_STEP_MS: '200' }),
    BURSAR_SANDBOX_BALANCES: JSON.stringify(balances),
    BURSAR_SANDBOX_FAULTS: JSON.stringify(rulesOf(names)),
    BURSAR_SANDBOX_TIMESTAMP_WINDOW_MS: String(WINDOW_MS),
    BURSAR_API_TIMESTAMP_WINDOW_MS: String(WINDOW_MS),
    BURSAR_API_FENCE_MARGIN_MS: '3000',
    BURSAR_API_SEND_BUDGET_MS: '2500',
    BURSAR_API_REQUEST_TIMEOUT_MS: '4000',
    BURSAR_BATCH_CHUNK_ROWS: String(chunkRows),
    BURSAR_POLL_MIN_MS: '500',
    BURSAR_POLL_MAX_MS: '3000',
  };
}

type Playing = Readonly<{ stack: Stack; folder: string; plan: PlanView; wish: Wish }>;

/** A drill that takes longer has failed. */
const DRILL_MAX = '2h';

async function play(
  { stack, folder, plan, wish }: Playing,
  context: Context,
): Promise<DrillReport | null> {
  const { flags, names } = wish;
  const place = { env: stack.env, cwd: folder };
  const inDrill = inside(context, { place, settings: await context.open.settings(place) });
  const accept = plan.findings
    .filter(({ severity }) => severity === 'confirm')
    .map(({ code }) => code);
  const startedMs = context.clock.nowMs();
  const { batchId } = await submitFile(
    { file: flags.file, ...choicesOf(flags), accept, yes: true, timeout: DRILL_MAX },
    inDrill,
  );
  if (context.interrupted.aborted) return null;
  const seconds = Math.round((context.clock.nowMs() - startedMs) / 1_000);
  context.clear();
  const sandbox = createSandboxClient({
    url: stack.addresses.sandbox ?? '',
    interrupted: context.interrupted,
  });
  const engine = await withSources(inDrill, async (sources) => ({
    view: (await readSnapshot(sources, batchId)).view,
    sends: await readSendFigures(sources.store, batchId),
  }));
  const { faults: fired } = await sandbox.call('GET /faults');
  const service = await readPaidByService(sandbox);
  return drillReport({ file: basename(flags.file), ...engine, service, names, fired, seconds });
}

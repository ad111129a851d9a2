import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { unwritable } from '../../operations/text/unwritable.ts';
import type { Env } from '../../config.ts';
import { EXIT, type ExitName } from '../../domain/errors/exit-codes.ts';
import type { BatchView } from '../../domain/report/report.ts';
import { withSources } from '../../operations/batch/sources.ts';
import { readSnapshot } from '../../operations/batch/standing.ts';
import type { Context } from '../context.ts';
import { demoText } from '../print/demo-text.ts';
import { printResult } from '../print/output.ts';
import { shownPath } from '../../operations/text/shown-path.ts';
import type { Stack } from '../../local-stack/index.ts';
import { isolatedEnv } from '../sandbox/isolated-env.ts';
import { type Submitted, submitFile } from './submit.ts';
import { orDeath, untilStopped } from './up.ts';

type DemoFlags = Readonly<{ keep?: boolean }>;

/**
 * `bursar demo`: starts a local stack of its own, pays every example file on the sandbox, and shows where the results
 * are. Returns the exit code of the batch; with several files, the worst.
 */
export async function demo(flags: DemoFlags, context: Context): Promise<number> {
  const folder = demoFolder(context.cwd);
  await wipeDemoFolder(folder);
  const env = isolatedEnv(context.env, PACE);
  const settings = await context.open.settings({ env, cwd: folder });
  const { say } = context;
  const stack = await context.open.stack({
    settings,
    env,
    cwd: folder,
    say,
    ports: 'free',
    sandbox: true,
  });
  try {
    const exitCode = await orDeath(stack, payExamples(stack, folder, context));
    if (flags.keep && exitCode !== EXIT.interrupted) {
      say('The stack stays up until Ctrl-C.');
      await untilStopped(stack.died, context);
    }
    return exitCode;
  } finally {
    await stack.stop();
  }
}

async function payExamples(stack: Stack, folder: string, context: Context): Promise<number> {
  const settings = await context.open.settings({ env: stack.env, cwd: folder });
  const open = { ...context.open, settings: () => Promise.resolve(settings) };
  const inDemo: Context = { ...context, env: stack.env, open };
  const quiet: Context = { ...inDemo, format: 'text', print: () => undefined };
  const submitted: Submitted[] = [];
  for (const path of await exampleFiles(context.examplesDir)) {
    const file = shownPath(path, context.cwd);
    context.say(context.colours.bold(`\n$ bursar submit ${file}`));
    const speaking = context.format === 'text' ? inDemo : quiet;
    submitted.push(await submitFile({ file, yes: true }, speaking));
    if (context.interrupted.aborted) return EXIT.interrupted;
  }
  const views = await readViews(submitted, inDemo);
  const json = { schema: 'bursar.demo/v1', ui: stack.addresses.ui, batches: views };
  printResult(context, {
    json,
    text: demoText(views, { ui: stack.addresses.ui, folder }, context),
  });
  return worstExitCode(submitted.map(({ exitCode }) => exitCode));
}

async function exampleFiles(dir: string): Promise<string[]> {
  const names = await readdir(dir);
  return names
    .filter((name) => name.endsWith('.csv'))
    .sort()
    .map((name) => join(dir, name));
}

const readViews = (submitted: readonly Submitted[], context: Context): Promise<BatchView[]> =>
  withSources(context, async (sources) => {
    const views: BatchView[] = [];
    for (const { batchId } of submitted) {
      const standing = await readSnapshot(sources, batchId);
      views.push(standing.view);
    }
    return views;
  });

/** A demo takes seconds, so the sandbox makes its steps faster and the engine polls more often than by default. */
const PACE: Env = {
  BURSAR_SANDBOX_STEP_MS: '400',
  BURSAR_POLL_MIN_MS: '1000',
  BURSAR_BATCH_CHUNK_ROWS: '20',
};

/** Where a demo keeps everything, below the working folder. */
const demoFolder = (cwd: string): string => join(cwd, '.bursar', 'demo');

/**
 * Empties the demo's folder, so that every demo starts with the same accounts and no batches. Throws STACK_RUNNING
 * while another demo works in it.
 */
async function wipeDemoFolder(folder: string): Promise<void> {
  const data = join(folder, '.bursar');
  if (existsSync(data)) {
    const { lockFolder } = await import('../../local-stack/lock.ts');
    lockFolder(data).release();
  }
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw unwritable(folder, error);
  }
}

/** Exit codes from the best to the worst. */
const BY_SEVERITY: readonly ExitName[] = [
  'done',
  'running',
  'partial',
  'canceled',
  'failed',
  'rejected',
  'needsOperator',
  'tampered',
  'saidNo',
  'notFound',
  'unreachable',
  'auth',
  'usage',
  'bug',
  'interrupted',
];

/** The worst of several exit codes; 0 when there are none. */
export const worstExitCode = (codes: readonly number[]): number =>
  BY_SEVERITY.map((name) => EXIT[name]).findLast((code) => codes.includes(code)) ?? EXIT.done;

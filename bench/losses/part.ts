import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { createRun } from '../control/command.ts';
import { type Databases, databasesOf } from '../postgres/databases.ts';
import type { BenchContext, Part } from '../support/context.ts';
import { type Aim, type Figure, medianFigure } from '../support/figure.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { writeSampleFile } from '../support/sample-file.ts';
import { type BenchStack, withStack } from '../support/stack.ts';

const ROWS_DEFAULT = 200_000;
/** Small chunks make sending last for several losses. */
const CHUNK_ROWS = 50;
const CREATE_DELAY_MS = 300;
const LOSS_EVERY_MS = 5_000;

const PAUSE: Aim = { kind: 'at most', value: 10 };
const NONE: Aim = { kind: 'at most', value: 0 };

/** What is lost while a batch is paid, one after the other. */
type Losing = Readonly<{
  title: string;
  workers: number;
  losses(stack: BenchStack, url: string): readonly (() => Promise<unknown>)[];
}>;

const LOSINGS: readonly Losing[] = [
  {
    title: 'bridge, then connections of the store',
    workers: 1,
    losses: (stack, url) => [() => stack.replace('bridge', 'SIGKILL'), () => endConnections(url)],
  },
  {
    title: 'two workers, one after the other',
    workers: 2,
    losses: (stack) => ['worker', 'worker 2'].map((name) => () => stack.replace(name, 'SIGTERM')),
  },
];

/** How long no create leaves while programs and connections are lost every 5 seconds. The store is on PostgreSQL. */
export const lossesPart: Part = async (context) => {
  // The server runs as another user, who must get to its programs.
  chmodSync(context.folder, 0o711);
  const server = await startPostgres(join(context.folder, 'server-of-stores'));
  try {
    const databases = databasesOf(server);
    const figures: Figure[] = [];
    for (const [at, losing] of LOSINGS.entries()) {
      figures.push(...(await measure(context, databases, { ...losing, name: `losses_${at}` })));
    }
    return figures;
  } finally {
    await server.stop();
  }
};

/** Pays one batch on a stack of its own. Throws unless its report calls every row paid. */
async function measure(
  context: BenchContext,
  databases: Databases,
  { name, title, workers, losses }: Losing & Readonly<{ name: string }>,
): Promise<Figure[]> {
  const { rows = ROWS_DEFAULT, signal } = context;
  context.say(`losses: ${title}`);
  const url = await databases.make(name);
  const options = {
    name,
    workers,
    bridge: true,
    chunkRows: CHUNK_ROWS,
    createDelayMs: CREATE_DELAY_MS,
    env: { BURSAR_STORE_URL: url, BURSAR_BRIDGE_LISTEN: '127.0.0.1:0' },
  };
  return withStack(context, options, async (stack) => {
    const file = join(stack.folder, 'rows.csv');
    await writeSampleFile({ path: file, rows, seed: 1, signal });
    const end = new AbortController();
    const losing = loseInTurn(losses(stack, url), end.signal);
    const submit = ['submit', file, '--id', name, '--yes'];
    const { value } = await createRun(context, stack)(submit).finally(() => end.abort());
    context.say(`losses: ${await losing}`);
    const { paid } = value['rows'] as { paid: number };
    if (paid !== rows) throw new Error(`the report calls ${paid} of ${rows} rows paid`);
    const seen = (await stack.seen())[name];
    if (seen === undefined) throw new Error('the service has received nothing');
    const { longestPauseMs, repeatedRows, rows: ordered } = seen;
    return [
      {
        ...medianFigure(`${title}: longest time without a create`, 's', [longestPauseMs / 1_000]),
        aim: PAUSE,
      },
      { ...medianFigure(`${title}: rows ordered twice`, 'rows', [repeatedRows]), aim: NONE },
      { ...medianFigure(`${title}: rows never ordered`, 'rows', [rows - ordered]), aim: NONE },
    ];
  });
}

/** Returns how many losses there were until the batch was paid. */
async function loseInTurn(
  losses: readonly (() => Promise<unknown>)[],
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  while (await rested(signal)) {
    await losses[count % losses.length]?.();
    count += 1;
  }
  return count;
}

/** Waits for the next loss. Returns false when the batch is paid before. */
const rested = (signal: AbortSignal): Promise<boolean> =>
  pause(LOSS_EVERY_MS, true, { signal }).catch(() => false);

/** Ends every connection to a database but its own. */
async function endConnections(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await client.end();
}

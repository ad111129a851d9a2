import { join } from 'node:path';
import { createRun } from '../control/command.ts';
import { type Databases, withDatabases } from '../postgres/databases.ts';
import type { BenchContext, Part } from '../support/context.ts';
import { type Aim, type Figure, medianFigure } from '../support/figure.ts';
import { endConnections, type PostgresServer } from '../support/postgres-server.ts';
import { loseOnAndOn } from '../support/losses.ts';
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
  losses(stack: BenchStack, server: PostgresServer): readonly (() => Promise<unknown>)[];
}>;

const LOSINGS: readonly Losing[] = [
  {
    title: 'bridge, then connections of the store',
    workers: 1,
    losses: (stack, server) => [
      () => stack.replace('bridge', 'SIGKILL'),
      () => endConnections(server),
    ],
  },
  {
    title: 'two workers, one after the other',
    workers: 2,
    losses: (stack) => ['worker', 'worker 2'].map((name) => () => stack.replace(name, 'SIGTERM')),
  },
];

/** How long no create leaves while programs and connections are lost every 5 seconds. The store is on PostgreSQL. */
export const lossesPart: Part = (context) =>
  withDatabases(context, async (databases, server) => {
    const figures: Figure[] = [];
    for (const [at, losing] of LOSINGS.entries()) {
      const named = { ...losing, name: `losses_${at}` };
      figures.push(...(await measure(context, { databases, server }, named)));
    }
    return figures;
  });

/** Pays one batch on a stack of its own. Throws unless its report calls every row paid. */
async function measure(
  context: BenchContext,
  { databases, server }: Readonly<{ databases: Databases; server: PostgresServer }>,
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
    const inTurn = losses(stack, server);
    const losing = loseOnAndOn(LOSS_EVERY_MS, end.signal, async (before) =>
      inTurn[before % inTurn.length]?.(),
    );
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

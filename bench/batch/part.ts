import type { BenchContext, Part } from '../support/context.ts';
import type { Aim, Figure } from '../support/figure.ts';
import { withStack } from '../support/stack.ts';
import type { StageName } from '../support/submit.ts';
import { cpuRatio, loopFigure, ratio, stageFigure } from './figures.ts';
import { CHUNK_ROWS, type Measured, measureBatch } from './measure.ts';

type Scenario = Readonly<{
  name: string;
  title: string;
  createDelayMs: number;
  /** Aims of the large batch, of the ratios to the loop. A small one has none: what does not grow weighs too much in it. */
  aims: Readonly<Partial<Record<'submit' | 'workflow', Aim>>>;
}>;

const SCENARIOS: readonly Scenario[] = [
  {
    name: 'at-once',
    title: 'service at once',
    createDelayMs: 0,
    aims: { workflow: { kind: 'at most', value: 3 } },
  },
  {
    name: 'in-300-ms',
    title: 'service in 300 ms',
    createDelayMs: 300,
    aims: { submit: { kind: 'at most', value: 1.15 } },
  },
];

/** The price of safety: a whole batch, from its file to its report, beside a loop that only sends and polls. */
export const batchPart: Part = (context) =>
  measureAll(context, { rows: context.rows ?? 100_000, runs: context.runs, hasAims: false });

/** The same for a batch of the size that the aims are for, once. */
export const millionPart: Part = (context) =>
  measureAll(context, { rows: context.rows ?? 1_000_000, runs: 1, hasAims: true });

type Size = Readonly<{ rows: number; runs: number; hasAims: boolean }>;

async function measureAll(context: BenchContext, { rows, runs, hasAims }: Size): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const scenario of SCENARIOS) {
    const { name, createDelayMs, aims } = scenario;
    const title = `${rows.toLocaleString('en-US')} rows, ${scenario.title}`;
    const options = { name, chunkRows: CHUNK_ROWS, createDelayMs };
    const measured = await withStack(context, options, (stack) =>
      measureBatch(context, stack, { title, rows, runs }),
    );
    figures.push(...figuresOf(measured, hasAims ? aims : {}).map(titled(title)));
  }
  return figures;
}

const titled =
  (title: string) =>
  (figure: Figure): Figure => ({ ...figure, name: `${title}: ${figure.name}` });

const STAGES: readonly (readonly [StageName, string])[] = [
  ['submit', 'bursar submit'],
  ['before', 'before its workflow began'],
  ['workflow', 'its workflow'],
  ['ingest', 'of its workflow, ingest'],
  ['pay', 'of its workflow, create and settle'],
  ['report', 'of its workflow, report'],
  ['after', 'after its workflow ended'],
];

function figuresOf({ bare, paid }: Measured, aims: Scenario['aims']): Figure[] {
  const loop = loopFigure('bare loop', bare);
  const figures = STAGES.map(([stage, name]) => stageFigure(name, paid, stage));
  const [submit, , workflow] = figures;
  if (submit === undefined || workflow === undefined) throw new Error('a stage is missing');
  return [
    loop,
    ...figures,
    ratio('bursar submit / bare loop', submit, { loop, aim: aims.submit }),
    ratio('its workflow / bare loop', workflow, { loop, aim: aims.workflow }),
    cpuRatio('bursar submit / bare loop', submit, loop),
  ];
}

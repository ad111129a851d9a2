import type { Options, PartName } from './options.ts';
import { type Figure, isMet, type Unit } from './support/figure.ts';
import type { Machine } from './support/machine.ts';

/** Everything that one run of the bench found. */
export type Result = Readonly<{
  machine: Machine;
  startedAt: string;
  /** Over 1, 5 and 15 minutes, before the first part. */
  loadAverage: readonly number[];
  parts: readonly Readonly<{ part: PartName; figures: readonly Figure[] }>[];
  /** The command that does the same again. */
  repeat: string;
}>;

export const resultJson = ({ parts, ...rest }: Result): string =>
  JSON.stringify(
    {
      schema: 'bursar.bench/v1',
      ...rest,
      figures: parts.flatMap(({ part, figures }) =>
        figures.map((figure) => ({ part, ...figure, met: isMet(figure) ?? null })),
      ),
    },
    null,
    2,
  );

/** The command that measures the same once more. */
export function repeatCommand({ parts, rows, runs }: Options): string {
  const flags = [...parts, ...(rows === undefined ? [] : ['--rows', rows]), '--runs', runs];
  return `npm run bench -- ${flags.join(' ')}`;
}

export const machineLine = ({ cores, processor, memoryGib, system, node }: Machine): string =>
  `${cores} x ${processor}, ${memoryGib} GiB, ${system}, Node.js ${node}`;

export const loadText = (load: readonly number[]): string =>
  load.map((value) => value.toFixed(2)).join(' ');

export function resultText({ machine, startedAt, loadAverage, parts, repeat }: Result): string {
  const blocks = parts.map(({ part, figures }) => [part, ...tableLines(figures)].join('\n'));
  return [
    `${machineLine(machine)}; ${startedAt}; load average ${loadText(loadAverage)}`,
    ...blocks,
    `Again: ${repeat}`,
  ].join('\n\n');
}

const NAME_WIDTH = 50;
const VALUE_WIDTH = 16;
const AIM_WIDTH = 14;

const tableLines = (figures: readonly Figure[]): string[] =>
  figures.map((figure) =>
    [
      `  ${figure.name.padEnd(NAME_WIDTH)}`,
      valueText(figure.value, figure.unit).padStart(VALUE_WIDTH),
      (figure.aim === undefined ? '' : aimText(figure.aim)).padStart(AIM_WIDTH),
      metText(figure),
      runsText(figure),
    ]
      .join('  ')
      .trimEnd(),
  );

const aimText = ({ kind, value }: NonNullable<Figure['aim']>): string => `${kind} ${value}`;

const metText = (figure: Figure): string =>
  ({ true: 'met    ', false: 'not met', undefined: '       ' })[`${isMet(figure)}`];

const runsText = ({ runs, unit }: Figure): string =>
  runs === undefined || runs.length < 2
    ? ''
    : `(${runs.map((run) => numberText(run, unit)).join(', ')})`;

const FRACTION_DIGITS: Readonly<Record<Unit, number>> = {
  'rows/s': 0,
  'requests/s': 0,
  s: 2,
  MiB: 0,
  times: 2,
};

const valueText = (value: number, unit: Unit): string =>
  `${numberText(value, unit)} ${unit === 'times' ? 'x' : unit}`;

function numberText(value: number, unit: Unit): string {
  const digits = FRACTION_DIGITS[unit];
  return value.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

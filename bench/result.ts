import type { Options, PartName } from './options.ts';
import { type Cpu, cpuTotal } from './support/cpu.ts';
import { type Figure, isMet, type Unit } from './support/figure.ts';
import type { Machine } from './support/machine.ts';
import { tableText } from './support/table.ts';

/** Everything that one run of the bench found. */
export type Result = Readonly<{
  machine: Machine;
  startedAt: string;
  /** Over 1, 5 and 15 minutes, before the first part. */
  loadAverage: readonly number[];
  /** Rows of every part, where they were given. */
  rows: number | undefined;
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
export function repeatCommand({ parts, rows, runs, delayMs, peers }: Options): string {
  const flags = [
    ...parts,
    ...(rows === undefined ? [] : ['--rows', rows]),
    '--runs',
    runs,
    ...(delayMs === undefined ? [] : ['--delay-ms', delayMs]),
    ...peers.flatMap((name) => ['--peer', name]),
  ];
  return `npm run bench -- ${flags.join(' ')}`;
}

export const machineLine = ({ cores, processor, memoryGib, system, node }: Machine): string =>
  `${cores} x ${processor}, ${memoryGib} GiB, ${system}, Node.js ${node}`;

export const loadText = (load: readonly number[]): string =>
  load.map((value) => value.toFixed(2)).join(' ');

export function resultText({ machine, startedAt, loadAverage, parts, repeat }: Result): string {
  const blocks = parts.flatMap(({ part, figures }) => [
    [part, ...tableLines(figures)].join('\n'),
    notesText(figures),
  ]);
  return [
    `${machineLine(machine)}; ${startedAt}; load average ${loadText(loadAverage)}`,
    ...blocks,
    aimsText(parts.flatMap(({ figures }) => figures)),
    `Again: ${repeat}`,
  ]
    .filter((block) => block !== '')
    .join('\n\n');
}

const NAME_WIDTH = 74;
const VALUE_WIDTH = 18;

const tableLines = (figures: readonly Figure[]): string[] =>
  figures.map((figure) =>
    [
      `  ${figure.name.padEnd(NAME_WIDTH)}`,
      valueText(figure.value, figure.unit).padStart(VALUE_WIDTH),
      cpuText(figure.cpu),
      runsText(figure),
    ]
      .join('  ')
      .trimEnd(),
  );

/** Every figure that has an aim: the result of the bench in one table; empty when none has. */
export function aimsText(figures: readonly Figure[]): string {
  const lines = figures.flatMap((figure) => {
    const { aim, unit, name, value } = figure;
    if (aim === undefined) return [];
    const text = `${aim.kind} ${valueText(aim.value, unit)}`;
    return [[name, text, valueText(value, unit), isMet(figure) === true ? 'yes' : 'NO']];
  });
  if (lines.length === 0) return '';
  return tableText(['measure', 'aim', 'measured', 'met'], lines);
}

/** The figures that have a remark, with it; empty when none has. */
function notesText(figures: readonly Figure[]): string {
  const lines = figures.flatMap(({ name, value, unit, note }) =>
    note === undefined ? [] : [[name, valueText(value, unit), note]],
  );
  return lines.length === 0 ? '' : tableText(['measure', 'measured', 'guarantees'], lines);
}

function cpuText(cpu: Cpu | undefined): string {
  if (cpu === undefined || Object.keys(cpu).length === 0) return '';
  const each = Object.entries(cpu).map(([name, seconds]) => `${name} ${numberText(seconds, 's')}`);
  return `CPU ${numberText(cpuTotal(cpu), 's')} s: ${each.join(', ')}`;
}

const runsText = ({ runs, unit }: Figure): string =>
  runs === undefined || runs.length < 2
    ? ''
    : `(${runs.map((run) => numberText(run, unit)).join(', ')})`;

const FRACTION_DIGITS: Readonly<Record<Unit, number>> = {
  rows: 0,
  'rows/s': 0,
  'requests/s': 0,
  'attempts/s': 0,
  s: 2,
  'CPU s': 2,
  'CPU ms': 1,
  MiB: 0,
  KiB: 0,
  tasks: 0,
  times: 2,
  '%': 0,
  'a chunk': 2,
};

export const valueText = (value: number, unit: Unit): string =>
  `${numberText(value, unit)} ${unit === 'times' ? 'x' : unit}`;

function numberText(value: number, unit: Unit): string {
  const digits = FRACTION_DIGITS[unit];
  return value.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

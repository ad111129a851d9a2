/** One row of a table, with what holds for all rows of its section. */
export type Row = Readonly<{
  section: string;
  /** By the heads of the columns. */
  cells: Readonly<Record<string, string>>;
  /** The first cell: a name in backticks, or a sentence. */
  subject: string;
  client: string;
  sandbox: string;
  proofs: readonly Proof[];
}>;

/** Conformance checks, or a test file with names of its tests. */
export type Proof =
  | Readonly<{ kind: 'checks'; ids: readonly string[] }>
  | Readonly<{ kind: 'tests'; label: string; names: readonly string[] }>
  | Readonly<{ kind: 'other'; text: string }>;

export type Section = Readonly<{
  title: string;
  /** What stands above the tables, by its first word: `Client`, `Sandbox`, `Proof`, `OpenAPI`. */
  notes: Readonly<Record<string, string>>;
  rows: readonly Row[];
}>;

export type Coverage = Readonly<{
  sections: readonly Section[];
  /** Labels in brackets, as often as they are used. */
  labels: readonly string[];
  /** Where a label leads, from the folder of the document. */
  targets: ReadonlyMap<string, string>;
}>;

export function parseCoverage(markdown: string): Coverage {
  const definitions = [...markdown.matchAll(/^\[([^\]]+)\]: (\S+)$/gm)];
  const text = markdown.replaceAll(/^\[[^\]]+\]: \S+$/gm, '');
  const used = [...text.matchAll(/\[([^\][`]+)\](?!\()/g)].map(([, label = '']) => label);
  return {
    sections: text.split(/^#+ (?=.)/m).map(parseSection),
    labels: used.filter((label) => label.endsWith('.ts')),
    targets: new Map(definitions.map(([, label = '', target = '']) => [label, target])),
  };
}

function parseSection(text: string): Section {
  const [title = '', ...lines] = text.split('\n');
  const notes = Object.fromEntries(
    lines.flatMap((line) => {
      const [, name = '', value = ''] = /^- (\w+): (.*)$/.exec(line) ?? [];
      return name === '' ? [] : [[name, value]];
    }),
  );
  return { title, notes, rows: tablesIn(lines).flatMap((table) => rowsOf(title, notes, table)) };
}

/** The lines of each table, its head first. */
const tablesIn = (lines: readonly string[]): string[][] =>
  lines
    .join('\n')
    .split(/\n(?!\|)/)
    .map((block) => block.split('\n').filter((line) => line.startsWith('|')))
    .filter((table) => table.length > 0);

function rowsOf(
  section: string,
  notes: Section['notes'],
  [head = '', , ...lines]: readonly string[],
): Row[] {
  const columns = cellsOf(head);
  return lines.map((line) => {
    const values = cellsOf(line);
    if (values.length !== columns.length) throw new Error(`not a row of ${head}: ${line}`);
    const cells = Object.fromEntries(columns.map((name, at) => [name, values[at] ?? '']));
    return {
      section,
      cells,
      subject: values[0] ?? '',
      client: cells['client'] ?? cells['operations'] ?? notes['Client'] ?? '',
      sandbox: cells['sandbox'] ?? cells['operations'] ?? notes['Sandbox'] ?? '',
      proofs: [...proofsIn(cells['proof'] ?? ''), ...proofsIn(notes['Proof'] ?? '')],
    };
  });
}

const cellsOf = (line: string): string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Parts are separated by semicolons, of which names of tests may have some of their own. */
const PARTS = /; (?=\[[^\]]+\.test\.ts\] "|`[\w.-]+`)/;

const proofsIn = (text: string): Proof[] => (text === '' ? [] : text.split(PARTS).map(parseProof));

function parseProof(text: string): Proof {
  const [, label, quoted] = /^\[([^\]]+)\] "(.*)"(?: \([^"]*\))?$/.exec(text) ?? [];
  if (label !== undefined && quoted !== undefined) {
    return { kind: 'tests', label, names: quoted.split('", "') };
  }
  if (!/^`[\w.-]+`(, `[\w.-]+`)*$/.test(text)) return { kind: 'other', text };
  return { kind: 'checks', ids: namesIn(text) };
}

/** What stands in backticks. */
export const namesIn = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

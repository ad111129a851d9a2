import { readFileSync } from 'node:fs';
import { fieldOf, listOf } from './expect.ts';
import { SCHEMA } from './table.ts';

/** A difference of two runs. Null: there is none in that run. */
export type RunDifference = Readonly<{
  /** `verdict`, `choice`, `shape` or `operation`. */
  kind: 'verdict' | 'choice' | 'shape' | 'operation';
  /** The id of a check, or the name of a shape or an operation. */
  name: string;
  before: string | null;
  after: string | null;
}>;

/** Reads the JSON of a run. Throws when the file has something else. */
export function readRun(path: string): unknown {
  const run = jsonIn(readFileSync(path, 'utf8'));
  if (fieldOf(run, 'schema') !== SCHEMA) throw new Error(`${path} is no ${SCHEMA}`);
  return run;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns what changed in the service from one run to another, in the order of the checks. */
export function differencesOf(before: unknown, after: unknown): readonly RunDifference[] {
  return [
    ...changed('operation', operationsOf(before), operationsOf(after)),
    ...changed('shape', shapesOf(before), shapesOf(after)),
    ...changed('verdict', verdictsOf(before), verdictsOf(after)),
    ...changed('choice', choicesOf(before), choicesOf(after)),
  ];
}

type Named = ReadonlyMap<string, string>;

function changed(kind: RunDifference['kind'], before: Named, after: Named): RunDifference[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names]
    .map((name) => ({
      kind,
      name,
      before: before.get(name) ?? null,
      after: after.get(name) ?? null,
    }))
    .filter((each) => each.before !== each.after);
}

const checksOf = (run: unknown): readonly unknown[] => listOf(fieldOf(run, 'checks'));

const textOf = (record: unknown, name: string): string => String(fieldOf(record, name));

/** An open check has its reason beside it: missing means are another finding than missing events. */
const verdictsOf = (run: unknown): Named =>
  new Map(
    checksOf(run).map((check) => {
      const isOpen = fieldOf(check, 'needs') !== undefined;
      const needs = isOpen ? ` (${textOf(check, 'needs')})` : '';
      return [textOf(check, 'id'), `${textOf(check, 'verdict')}${needs}`];
    }),
  );

/** Choices of a service, by check. */
const choicesOf = (run: unknown): Named =>
  new Map(
    checksOf(run).flatMap((check) =>
      fieldOf(check, 'needs') === 'specification'
        ? [[textOf(check, 'id'), textOf(check, 'reason')] as const]
        : [],
    ),
  );

const operationsOf = (run: unknown): Named =>
  new Map(
    listOf(fieldOf(run, 'missing')).map((each) => [textOf(each, 'operation'), 'is not there']),
  );

function shapesOf(run: unknown): Named {
  const shapes = fieldOf(run, 'shapes') ?? {};
  return new Map(Object.entries(shapes).map(([name, value]) => [name, String(value)]));
}

/** Returns the differences for people, a line or two for each. */
export function differencesText(differences: readonly RunDifference[]): string {
  if (differences.length === 0) return 'The two runs found the same.';
  return differences
    .map(({ kind, name, before, after }) =>
      kind === 'operation'
        ? `operation  ${name} ${after === null ? 'came' : 'went'}`
        : `${kind}  ${name}\n  before: ${before ?? 'none'}\n  after:  ${after ?? 'none'}`,
    )
    .join('\n');
}

/** Returns the differences for programs. */
export const differencesJson = (differences: readonly RunDifference[]): string =>
  JSON.stringify({ schema: 'bursar.conformance-diff/v1', differences });

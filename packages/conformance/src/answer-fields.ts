import { type ConformanceCheck, met, notSeen, type CheckVerdict } from './check.ts';
import { demand, fieldOf, show } from './expect.ts';
import type { FieldKind } from './kinds.ts';
import type { CheckRun } from './run.ts';

export type AnswerFields = Readonly<{
  id: string;
  section: string;
  /** The name of the records in sentences. */
  record: string;
  needs: ConformanceCheck['needs'];
  /** Reads the records once for each check. */
  read(run: CheckRun): Promise<readonly unknown[]>;
  fields: Readonly<Record<string, FieldKind>>;
}>;

/** Returns a check for each field of a record in an answer. */
export const answerFields = ({
  id,
  section,
  record,
  needs,
  read,
  fields,
}: AnswerFields): ConformanceCheck[] =>
  Object.entries(fields).map(([name, kind]) => ({
    id: `${id}.${name}`,
    section,
    sentence: `${record}: \`${name}\` ${kind.words}, ${kind.optional ? 'optional' : 'required'}.`,
    needs,
    try: async (run) => fieldVerdict(await read(run), name, kind),
  }));

function fieldVerdict(records: readonly unknown[], name: string, kind: FieldKind): CheckVerdict {
  if (records.length === 0) return notSeen('there was no such record');
  const values = records.map((record) => fieldOf(record, name) ?? undefined);
  const present = values.filter((value) => value !== undefined);
  if (present.length < values.length && !kind.optional) {
    demand(false, `${name}: ${kind.words}`, `a record without it`);
  }
  for (const value of present) {
    demand(kind.fits(value), `${name}: ${kind.words}`, show(value));
  }
  return present.length > 0 ? met() : notSeen('it is optional, and was not there');
}

import { type Check, met, notSeen, type Verdict } from './check.ts';
import { demand, fieldOf, show } from './expect.ts';
import type { Kind } from './kinds.ts';
import type { Run } from './run.ts';

export type AnswerFields = Readonly<{
  id: string;
  section: string;
  /** What the records are called in sentences. */
  record: string;
  needs: Check['needs'];
  /** The records to look at; they are read once for each check. */
  read(run: Run): Promise<readonly unknown[]>;
  fields: Readonly<Record<string, Kind>>;
}>;

/** A check for each field of a record that the service answers with. */
export const answerFields = ({ id, section, record, needs, read, fields }: AnswerFields): Check[] =>
  Object.entries(fields).map(([name, kind]) => ({
    id: `${id}.${name}`,
    section,
    sentence: `${record}: \`${name}\` ${kind.words}, ${kind.optional ? 'optional' : 'required'}.`,
    needs,
    try: async (run) => fieldVerdict(await read(run), name, kind),
  }));

function fieldVerdict(records: readonly unknown[], name: string, kind: Kind): Verdict {
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

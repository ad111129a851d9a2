import { isObject } from '../json/is-object.ts';
import { maskedUrl } from '../text/masked-url.ts';
import { type BursarError, type ErrorNote, noteOf } from './bursar-error.ts';
import type { ErrorCode, ErrorFacts } from './catalogue.ts';

/** The facts of an error that are texts or numbers, for programs and for the sentences of other languages. */
export type ErrorDetails = Readonly<Record<string, string | number>>;

/** An error in sentences, and the facts that stand in them. */
export type DetailedNote = ErrorNote & Readonly<{ facts: ErrorDetails }>;

/** The texts and numbers of the facts. An address of a server shows no password. */
export function detailsOf(facts: unknown): ErrorDetails {
  if (!isObject(facts)) return {};
  const shown = Object.entries(facts).flatMap(([name, value]): [string, string | number][] => {
    if (typeof value === 'string') return [[name, maskedUrl(value)]];
    return typeof value === 'number' ? [[name, value]] : [];
  });
  return Object.fromEntries(shown);
}

/** The sentences of a code, with their facts. */
export const detailedNoteOf = <Code extends ErrorCode>(
  code: Code,
  facts: ErrorFacts<Code>,
): DetailedNote => ({ ...noteOf(code, facts), facts: detailsOf(facts) });

/** The sentences of an error, with their facts; without facts where another process made the sentences. */
export const detailedNote = ({ note, facts }: BursarError): DetailedNote => ({
  ...note,
  facts: detailsOf(facts),
});

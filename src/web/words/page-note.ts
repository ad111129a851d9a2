import type { Texts } from '../texts/en.ts';

type Sentences = Readonly<{ what: string; why: string; fix: string }>;

/** A flag, or a command of `bursar`. */
const COMMAND_LINE = /(?:^|[\s("'<])--[a-z]|\bbursar [a-z]+/;

/** Whether a sentence is for the command line. */
export const isForCommandLine = (sentence: string): boolean => COMMAND_LINE.test(sentence);

/** The sentences of an error or a finding for a page: those that are for the command line have others here. */
export function pageNote(
  { code, ...note }: Sentences & Readonly<{ code: string }>,
  { remedies, askOperator }: Texts,
): Sentences {
  const own: Partial<Sentences> = Object.hasOwn(remedies, code)
    ? remedies[code as keyof typeof remedies]
    : {};
  const here = (part: keyof Sentences): string =>
    own[part] !== undefined && isForCommandLine(note[part]) ? own[part] : orOperator(note[part]);
  const orOperator = (sentence: string): string =>
    isForCommandLine(sentence) ? askOperator : sentence;
  return { what: here('what'), why: here('why'), fix: here('fix') };
}

import type { ErrorText } from '../texts/error-texts.ts';
import type { Texts } from '../texts/en.ts';

type Sentences = Readonly<{ what: string; why: string; fix: string }>;
type Part = keyof Sentences;

/** A text on a page. `isEnglish`: it has the words of the server, on a page in another language. */
export type PageSentence = Readonly<{ text: string; isEnglish: boolean }>;

/** The sentences of an error. `detail`: the facts that the texts of this language lack; null: none. */
export type PageNote = Readonly<Record<Part, PageSentence> & { detail: PageSentence | null }>;

/** The sentences of the server, and the facts that stand in them. */
export type ServerNote = Sentences &
  Readonly<{ code: string; facts?: Readonly<Record<string, unknown>> }>;

/** A flag, or a command of `bursar`. */
const COMMAND_LINE = /(?:^|[\s("'<])--[a-z]|\bbursar [a-z]+/;

/** Whether a sentence is for the command line. */
export const isForCommandLine = (sentence: string): boolean => COMMAND_LINE.test(sentence);

/**
 * The sentences of an error or a finding for a page. In English they are those of the server, except where those are for the command
 * line. In another language they are those of its texts, and else those of the server, marked.
 */
export function pageNote(note: ServerNote, t: Texts): PageNote {
  const { remedies, askOperator, errors } = t;
  const { code, facts = {} } = note;
  const remedy: Partial<Sentences> = Object.hasOwn(remedies, code)
    ? remedies[code as keyof typeof remedies]
    : {};
  const here = (part: Part): PageSentence => {
    const isUsable = !isForCommandLine(note[part]);
    if (errors === null && isUsable) return own(note[part]);
    const text = errors === null ? undefined : textOf(entryOf(code, t)?.[part], facts);
    const known = text ?? remedy[part];
    if (known !== undefined) return own(known);
    return isUsable ? { text: note[part], isEnglish: true } : own(askOperator);
  };
  const [what, why, fix] = [here('what'), here('why'), here('fix')];
  const { short } = entryOf(code, t) ?? {};
  if (!what.isEnglish || short === undefined) return { what, why, fix, detail: null };
  return { what: own(short), why, fix, detail: what.text === '' ? null : what };
}

/** What happened, in the words of this language, by the code alone; null: they have none. */
export const shortNote = (code: string, t: Texts): string | null => {
  const entry = entryOf(code, t);
  return entry?.short ?? textOf(entry?.what, {}) ?? null;
};

const own = (text: string): PageSentence => ({ text, isEnglish: false });

type AnyText = ErrorText<'INTERNAL'>;

const entryOf = (code: string, { errors }: Texts): AnyText | undefined =>
  errors !== null && Object.hasOwn(errors, code)
    ? (errors[code as keyof typeof errors] as AnyText | undefined)
    : undefined;

/** The sentence with its facts; undefined where it needs one that is not there. */
function textOf(
  sentence: AnyText[Part] | undefined,
  facts: Readonly<Record<string, unknown>>,
): string | undefined {
  if (typeof sentence !== 'function') return sentence;
  let isWhole = true;
  const read = new Proxy(facts, {
    get(all, name) {
      if (Object.hasOwn(all, name)) return all[String(name)];
      isWhole = false;
      return '';
    },
  });
  const text = sentence(read as Parameters<typeof sentence>[0]);
  return isWhole ? text : undefined;
}

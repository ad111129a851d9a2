import { describe, expect, it } from '@jest/globals';
import { CATALOGUE } from '../../src/domain/errors/catalogue.ts';
import { LANGUAGES } from '../../src/web/texts/languages.ts';
import { isForCommandLine, pageNote } from '../../src/web/words/page-note.ts';

type Sentence = string | ((facts: never) => string);

type Entries = Readonly<Record<string, Readonly<Record<'what' | 'why' | 'fix', Sentence>>>>;

/** Facts of any error: a text may be an amount with a comma, and codes stand in a list. */
const FACTS = new Proxy({}, { get: (_, fact) => (fact === 'text' ? '12,5' : 'A, B') });

const NOTES = Object.entries(CATALOGUE as unknown as Entries).map(([code, { what, why, fix }]) => {
  const told = (sentence: Sentence): string =>
    typeof sentence === 'string' ? sentence : sentence(FACTS as never);
  return { code, what: told(what), why: told(why), fix: told(fix) };
});

/** Errors that a person meets on a page. */
const MET = [
  ...['CURRENCY_MISSING', 'FILE_ROWS_REFUSED', 'BATCH_ID_TAKEN', 'SAME_FILE_AGAIN', 'PLAN_CHANGED'],
  ...['FINDINGS_NOT_ACCEPTED', 'SUBMIT_UNSIGNED', 'APPROVAL_REPEATED', 'FUNDS_TOO_LOW'],
  ...['HOLD_NEEDS_APPROVAL', 'BATCH_STOPPED', 'RESEND_EXISTS', 'RESEND_NOTHING', 'ADOPT_DIFFERS'],
];

describe.each(Object.entries(LANGUAGES))('a note on a page in %s', (_name, texts) => {
  it.each(NOTES)('of $code names no command and no flag', (note) => {
    const { what, why, fix } = pageNote(note, texts);
    const sentences = [what, why, fix].map(({ text }) => text);
    expect(sentences.filter(isForCommandLine)).toEqual([]);
    expect(sentences.filter((sentence) => /--[a-z]|bursar [a-z]/.test(sentence))).toEqual([]);
  });

  it.each(MET)('of %s says what to do there', (code) => {
    const note = NOTES.find((one) => one.code === code);
    expect(note === undefined ? null : pageNote(note, texts).fix.text).not.toBe(texts.askOperator);
    expect(note).toBeDefined();
  });

  it('of a finding names no command and no flag', () => {
    const sentences = Object.values(texts.findings.texts).flat();
    expect(sentences.filter((sentence) => /--[a-z]|bursar [a-z]/.test(sentence))).toEqual([]);
  });

  it('replaces only sentences that are for the command line', () => {
    const needless = Object.entries(texts.remedies).flatMap(([code, own]) => {
      const notes = NOTES.filter((note) => note.code === code);
      const isNeeded = (part: string): boolean =>
        notes.some((note) => isForCommandLine(note[part as keyof typeof note]));
      return Object.keys(own).flatMap((part) => (isNeeded(part) ? [] : [`${code} ${part}`]));
    });
    expect(needless).toEqual([]);
  });
});

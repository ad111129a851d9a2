import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { CATALOGUE } from '../../src/domain/errors/catalogue.ts';
import { ROW_ERRORS } from '../../src/domain/errors/row-errors.ts';
import { characterOf } from '../../src/domain/errors/odd-characters.ts';
import { FINDING_CODES } from '../../src/domain/plan/finding.ts';
import { LANGUAGES } from '../../src/web/texts/languages.ts';
import { addressFault } from '../../src/web/texts/de/address-faults.ts';
import { pageNote } from '../../src/web/words/page-note.ts';

const { de } = LANGUAGES;

/** Any fact of an error. */
const FACTS = new Proxy(
  {},
  {
    get: (_, fact) => (fact === 'codePoint' ? 'U+00A0' : '5'),
    getOwnPropertyDescriptor: (_, fact) => ({ value: String(fact), configurable: true }),
  },
);

const ENGLISH = { what: 'What happened.', why: 'Why it happened.', fix: 'What to do.' };

const noteOf = (code: string, facts: object = FACTS) =>
  pageNote({ code, ...ENGLISH, facts: facts as Record<string, unknown> }, de);

it.each(Object.keys(ROW_ERRORS))('an error of a row has German sentences: %s', (code) => {
  const { what, why, fix, detail } = noteOf(code);
  for (const said of [what, why, fix]) {
    expect(said.isEnglish).toBe(false);
    expect(said.text).toMatch(/^(?:\p{Lu}|„|5).{8,}\.$/u);
    expect(Object.values(ENGLISH)).not.toContain(said.text);
  }
  expect(detail).toBeNull();
});

it.each(Object.keys(de.errors ?? {}))('an error has all of its sentences: %s', (code) => {
  expect(Object.hasOwn(CATALOGUE, code)).toBe(true);
  const { what, why, fix } = noteOf(code);
  expect([what, why, fix].filter(({ isEnglish }) => isEnglish)).toEqual([]);
});

it.each(Object.keys(de.remedies))('a remedy goes with the rest of its error: %s', (code) => {
  expect(de.errors).toHaveProperty(code);
});

it.each(FINDING_CODES)('a finding has a text in both languages: %s', (code) => {
  const [english, german] = [LANGUAGES.en, LANGUAGES.de].map(
    ({ findings }) => findings.texts[code],
  );
  expect(english?.every((text) => text.endsWith('.'))).toBe(true);
  expect(german?.every((text) => text.endsWith('.'))).toBe(true);
  expect(german).not.toEqual(english);
});

describe('a German error', () => {
  it('has the facts of the server in it', () => {
    const facts = { text: '1.123', currency: 'USDT_TRC20', decimals: 2 };
    expect(noteOf('AMOUNT_TOO_PRECISE', facts).what.text).toBe(
      'Der Betrag „1.123“ hat mehr als 2 Nachkommastellen; mehr hat USDT_TRC20 nicht.',
    );
    expect(noteOf('AMOUNT_NOT_DECIMAL', { text: '3.135,50' }).why.text).toBe(
      'Trennzeichen zwischen Tausendern werden nicht stillschweigend entfernt.',
    );
    expect(noteOf('CHARACTER_FORBIDDEN', { codePoint: 'U+0410' }).why.text).toBe(
      'Es sieht aus wie „A“, ist aber ein anderes Zeichen.',
    );
    expect(characterOf('U+00A0')).toEqual({ kind: 'space' });
  });

  it('says briefly what happened where the facts are not known, and shows the sentence of the server, marked', () => {
    const { what, detail, why } = noteOf('FUNDS_TOO_LOW', {});
    expect(what).toEqual({
      text: 'Das Guthaben des Kontos reicht für diesen Stapel nicht.',
      isEnglish: false,
    });
    expect(detail).toEqual({ text: ENGLISH.what, isEnglish: true });
    expect(why.isEnglish).toBe(false);
  });

  it('without texts of its own has the sentences of the server, marked', () => {
    const { what, why, fix } = noteOf('NEW_CODE');
    expect([what, why, fix]).toEqual(
      Object.values(ENGLISH).map((text) => ({ text, isEnglish: true })),
    );
  });
});

it('an English page has the sentences of the server', () => {
  const note = { code: 'AMOUNT_NOT_POSITIVE', ...ENGLISH, facts: { text: '0' } };
  const { what, why, fix } = pageNote(note, LANGUAGES.en);
  expect([what.text, why.text, fix.text]).toEqual(Object.values(ENGLISH));
});

describe('the fault of an address', () => {
  const FOLDER = 'src/domain/addresses';
  const source = readdirSync(FOLDER)
    .map((name) => readFileSync(`${FOLDER}/${name}`, 'utf8'))
    .join('\n');
  const faults = [...source.matchAll(/'((?:it|its|this|the|a spreadsheet) [^'\n]*)'/g)].map(
    ([, fault = '']) => fault,
  );

  it('is known in all forms of the server', () => {
    expect(faults.length).toBeGreaterThan(18);
  });

  it.each([
    ...faults,
    'this is an EVM address',
    'witness version 3 has no meaning yet',
    'it has 39 digits instead of 40: it was cut off, or zeros at its start were lost',
  ])('has German words: %s', (fault) => {
    expect(addressFault(fault)).toMatch(/^: (?:sie|es|ihre?|am|eine|die) /);
  });

  it('that is not known is left out', () => {
    expect(addressFault('something new')).toBe('');
  });
});

import { describe, expect, it } from '@jest/globals';
import { createLikeness } from './support/likeness.ts';
import { readBook } from './support/read-book.ts';

const fenced = (language: string, ...lines: string[]): string =>
  ['```' + language, ...lines, '```', ''].join('\n');

const bookOf = (...parts: string[]): string =>
  ['# Title', '', '## 1. One', '', ...parts].join('\n');

describe('reading a run book', () => {
  it('finds every step in its order, with its promised output', () => {
    const book = bookOf(
      fenced('csv in/a.csv', 'address', 'x'),
      'Then:',
      fenced('sh', 'npx bursar up', '# Ctrl-C'),
      fenced('sh', "npx bursar plan 'a b' # ends with 13"),
      fenced('text', 'Plan', '...'),
    );
    expect(readBook(`${book}\n## 2. Two\n\n${fenced('sh', 'npx bursar list')}`)).toEqual([
      {
        title: '1. One',
        steps: [
          { kind: 'file', line: 5, path: 'in/a.csv', text: 'address\nx\n' },
          { kind: 'command', line: 12, command: 'npx bursar up', code: 0, shown: null },
          { kind: 'act', line: 13, act: 'Ctrl-C' },
          {
            kind: 'command',
            line: 17,
            command: "npx bursar plan 'a b'",
            code: 13,
            shown: 'Plan\n...',
          },
        ],
      },
      {
        title: '2. Two',
        steps: [{ kind: 'command', line: 28, command: 'npx bursar list', code: 0, shown: null }],
      },
    ]);
  });

  it.each([
    ['a language that is no step', fenced('json', '{}')],
    ['a file without a name', fenced('csv', 'address')],
    ['an output of no command', fenced('text', 'Plan')],
    ['an output of one of two commands', fenced('sh', 'a', 'b') + fenced('text', 'Plan')],
  ])('passes nothing over: %s', (_what, block) => {
    expect(() => readBook(bookOf(block))).toThrow('of the run book');
  });
});

const HASHES = ['a', 'b'].map((digit) => `sha256:${digit.repeat(64)}`);
const IDS = ['4', '9'].map((digit) => `4de6f33e-73ad-40ef-8be0-6fc59c078ce${digit}`);

describe('an output and the text of the book', () => {
  it.each([
    ['the same', 'pays 10.5', 'pays 10.5', true],
    ['another amount', 'pays 10.5', 'pays 10.6', false],
    ['a line more', 'one', 'one\ntwo', false],
    ['a line less', 'one\ntwo', 'one', false],
    ['another width of gaps', 'a  b', 'a      b', true],
    ['no gap', 'a  b', 'ab', false],
    ['lines that are left out', 'one\n...\nfour', 'one\ntwo\nthree\nfour', true],
    ['no line where some may be', 'one\n...\ntwo', 'one\ntwo', true],
    ['another order', 'one\n...\ntwo', 'two\none', false],
    ['words that are left out', 'by ..., now', 'by bob and carol, now', true],
    ['words that are left out do not reach the next line', 'by ...', 'by bob\nby carol', false],
    ['another time', 'at 2026-11-21 10:11:35 UTC', 'at 2027-01-01 00:00:00 UTC', true],
    ['no time', 'at 2026-11-21 10:11:35 UTC', 'at noon', false],
    ['signs of patterns', 'a.b (c)', 'a.b (c)', true],
    ['signs of patterns that are no patterns', 'a.b', 'axb', false],
  ])('%s', (_what, shown, output, fits) => {
    expect(createLikeness().fits(shown, `${output}\n`)).toBe(fits);
  });

  it('a value with a name is stored, and the name means that value from then on', () => {
    const likeness = createLikeness();
    const [ofBook = '', own = ''] = IDS;
    expect(
      likeness.fits(`payout ${ofBook}\nagain ${ofBook}-2`, `payout ${own}\nagain ${own}-2`),
    ).toBe(true);
    expect(likeness.translated(`decline ${ofBook}`)).toBe(`decline ${own}`);
    expect(likeness.fits(`payout ${ofBook}`, `payout ${own}`)).toBe(true);
    expect(likeness.fits(`payout ${ofBook}`, `payout ${ofBook}`)).toBe(false);
  });

  it('one name has one value within an output too', () => {
    const [ofBook = '', own = ''] = HASHES;
    expect(createLikeness().fits(`${ofBook} ${ofBook}`, `${own} ${ofBook}`)).toBe(false);
  });

  it('no value is stored from an output that does not match', () => {
    const likeness = createLikeness();
    expect(likeness.fits(`one ${IDS[0]}`, `two ${IDS[1]}`)).toBe(false);
    expect(likeness.translated(`${IDS[0]}`)).toBe(IDS[0]);
  });

  it('a date is one in the names of files, and a run has a time', () => {
    const likeness = createLikeness();
    const shown = '2026-11-30T09:31 rent-2026-11-30.csv';
    expect(likeness.fits(shown, '2026-12-01T17:05 rent-2026-12-01.csv')).toBe(true);
    expect(likeness.translated('--run 2026-11-30T09:31, payroll-2026-11')).toBe(
      '--run 2026-12-01T17:05, payroll-2026-11',
    );
  });
});

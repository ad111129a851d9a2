import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  code,
  paragraph,
  md,
  page,
  plain,
  stepSummary,
  table,
  workflowSummary,
} from '../../../src/domain/text/markdown.ts';
import { printable } from '../../../src/domain/text/printable.ts';

/** Texts full of what means something to some renderer. */
const hostile = fc
  .array(
    fc.constantFrom(
      ...['|', '`', '*', '_', '{', '}', '[', ']', '<', '>', '&', '~', '$', '\\', '--', '://'],
      ...['\n', '\r\n', '\u2028', '\u202e', '\u0000', ' ', 'a', '付', '😀', '"', 'mailto:', '#'],
    ),
    { maxLength: 900 },
  )
  .map((parts) => parts.join(''));

/** What is left when every character that a backslash makes text is taken away. */
const withoutEscaped = (markdown: string): string => markdown.replaceAll(/\\[!-/:-@[-`{-~]/g, '');

describe('a text in Markdown', () => {
  it('is on one line, has no markup, hides nothing, and reads unchanged', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const written = plain(text);
        expect(withoutEscaped(written)).not.toMatch(/[\\`*_{}[\]|<>&~$]|--|:\/\//);
        expect(written).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        const shown = written.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1').replace(/\.\.\.$/, '');
        expect(printable(text.replaceAll(/\s+/g, ' ')).startsWith(shown)).toBe(true);
      }),
    );
  });

  it.each([
    ['a | b', 'a \\| b'],
    ['one\r\ntwo', 'one two'],
    ['<img src=x>', '\\<img src=x\\>'],
    ['[x](javascript:alert)', '\\[x\\](javascript\\:alert)'],
    ['https://evil.example', 'https\\://evil.example'],
    ['&lt; {namespace}', '\\&lt; \\{namespace\\}'],
    ['run --reason', 'run \\-\\-reason'],
    ['at 10:14: 2 rows', 'at 10:14: 2 rows'],
    ['gpj\u202eexe', 'gpj\\\\u\\{202e\\}exe'],
  ])('%j is written as %s', (text, written) => {
    expect(plain(text)).toBe(written);
  });
});

describe('code', () => {
  it('has nothing in it that ends it or its cell', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(code(text).markdown).toMatch(/^`[^`|\r\n]*`$/);
      }),
    );
  });
});

describe('a page', () => {
  it('has the right number of cells in each row of a table, with any text in them', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(hostile, hostile), { maxLength: 8 }), (rows) => {
        const [first, ...others] = table(rows);
        if (rows.length > 0) expect(first).toBe('|  |  |');
        for (const row of others) {
          expect(withoutEscaped(row).replaceAll(/[^|]/g, '')).toBe('|||');
        }
      }),
    );
  });

  it('is never longer than 4,000 bytes and a note, and ends with a whole line', () => {
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 30 }), (texts) => {
        const rows = texts.map((text, at) => [at, text] as const);
        const shown = page(paragraph(md`**${'state'}**`), table(rows));
        expect(Buffer.byteLength(shown)).toBeLessThan(4_096);
        const known = new Set([...table(rows), '**state**', '(shortened)', '', '\u00a0']);
        for (const one of shown.split('\n')) expect(known).toContain(one);
      }),
    );
  });

  it('leaves out blocks that are empty', () => {
    expect(page(paragraph('a'), table([]), paragraph('b'))).toBe('a\n\nb\n\n\u00a0');
  });
});

describe('a summary', () => {
  it.each([
    ['of a step', stepSummary],
    ['of a workflow', workflowSummary],
  ])('%s is one line that Temporal takes', (_whose, summary) => {
    fc.assert(
      fc.property(hostile, (text) => {
        const written = summary(text);
        expect(Buffer.byteLength(JSON.stringify(written))).toBeLessThanOrEqual(400);
        expect(written).not.toMatch(/[\r\n]/);
      }),
    );
  });

  it('keeps a short text', () => {
    expect(stepSummary('chunk 3: the bank * called')).toBe('chunk 3: the bank * called');
    expect(workflowSummary('rent: 0 9 * * 1, UTC')).toBe('rent: 0 9 \\* \\* 1, UTC');
  });
});

import { describe, expect, it } from '@jest/globals';
import { BursarError, isBursarError, noteOf } from '../../../src/domain/errors/bursar-error.ts';
import { CATALOGUE, categoryOf, type ErrorCode } from '../../../src/domain/errors/catalogue.ts';

/** Facts of every name: milliseconds are a number, all else is text. */
const anyFacts = new Proxy(
  {},
  { get: (_, name) => (String(name).endsWith('Ms') ? 60_000 : `<${String(name)}>`) },
);

const codes = Object.keys(CATALOGUE) as ErrorCode[];

describe('an error', () => {
  it('carries its code, its facts and the sentence made from them', () => {
    const error = new BursarError('AMOUNT_NOT_DECIMAL', { text: '1,5' });
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe('BursarError');
    expect(error.code).toBe('AMOUNT_NOT_DECIMAL');
    expect(error.facts).toEqual({ text: '1,5' });
    expect(error.message).toBe('The amount "1,5" is not a plain decimal.');
    expect(error.note).toEqual({
      code: 'AMOUNT_NOT_DECIMAL',
      what: error.message,
      why: expect.stringContaining('The comma'),
      fix: expect.stringContaining('1000.5'),
    });
  });

  it('keeps its cause', () => {
    const cause = new Error('EACCES');
    const facts = { file: 'a.csv', reason: 'EACCES' };
    expect(new BursarError('FILE_UNREADABLE', facts, { cause }).cause).toBe(cause);
  });

  it('is distinguished from other errors', () => {
    expect(isBursarError(new BursarError('FILE_EMPTY', { file: 'a.csv' }))).toBe(true);
    expect(isBursarError(new Error('FILE_EMPTY'))).toBe(false);
    expect(isBursarError({ code: 'FILE_EMPTY' })).toBe(false);
  });
});

describe.each(codes)('the entry %s', (code) => {
  const note = noteOf(code, anyFacts as never);

  it('states what happened, why and how to mend it, each in whole sentences', () => {
    for (const sentence of [note.what, note.why, note.fix]) {
      expect(sentence).toMatch(/\S.{8,}/);
      expect(sentence).not.toMatch(/undefined|\[object|NaN/);
    }
  });

  it('has a category and a code of plain capitals', () => {
    expect(categoryOf(code)).toEqual(expect.stringMatching(/^[a-z-]+$/));
    expect(code).toMatch(/^[A-Z][A-Z0-9_]+$/);
  });
});

it('no code stands in two parts of the catalogue', async () => {
  const parts = await Promise.all([
    import('../../../src/domain/errors/approval-errors.ts'),
    import('../../../src/domain/errors/audit-errors.ts'),
    import('../../../src/domain/errors/batch-errors.ts'),
    import('../../../src/domain/errors/codec-errors.ts'),
    import('../../../src/domain/errors/control-errors.ts'),
    import('../../../src/domain/errors/file-errors.ts'),
    import('../../../src/domain/errors/plan-errors.ts'),
    import('../../../src/domain/errors/funds-errors.ts'),
    import('../../../src/domain/errors/reconcile-errors.ts'),
    import('../../../src/domain/errors/finding-errors.ts'),
    import('../../../src/domain/errors/notify-errors.ts'),
    import('../../../src/domain/errors/mending-errors.ts'),
    import('../../../src/domain/errors/row-errors.ts'),
    import('../../../src/domain/errors/sandbox-errors.ts'),
    import('../../../src/domain/errors/schedule-errors.ts'),
    import('../../../src/domain/errors/service-errors.ts'),
    import('../../../src/domain/errors/workbook-errors.ts'),
    import('../../../src/domain/errors/setup-errors.ts'),
    import('../../../src/domain/errors/serve-errors.ts'),
    import('../../../src/domain/errors/payee-errors.ts'),
  ]);
  const all = parts.flatMap((part) => Object.values(part).flatMap((table) => Object.keys(table)));
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBe(codes.length);
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BursarError } from '../../../src/domain/errors/bursar-error.ts';
import { codeText } from '../../../src/domain/errors/code-text.ts';
import { fromServiceFailure } from '../../../src/domain/errors/from-service.ts';
import { historyNoteOf } from '../../../src/domain/errors/history-note.ts';
import { refusalText } from '../../../src/domain/sending/refusal-text.ts';
import { anyText } from '../../support/any-text.ts';
import {
  createRandom,
  evmAddress,
  segwitAddress,
  tronAddress,
} from '../../support/payout-files.ts';

const RANDOM = createRandom(7);
const TRON = tronAddress(RANDOM);

/** Texts that a service may put where a code belongs. */
const NO_CODES = [
  TRON,
  evmAddress(RANDOM),
  segwitAddress(RANDOM),
  `BAD_ADDRESS_${TRON}`,
  'the address is wrong',
  'a'.repeat(65),
  'A_'.repeat(500),
  'CODE\nforged line',
  '<script>',
  '',
];

describe('a code of the service', () => {
  it.each([
    'INSUFFICIENT_FUNDS',
    'payout.mass.limit-exceeded',
    '4001',
    'd4e11352-398d-4399-8728-f0d5730c20a7',
    '4bf92f3577b34da6a3ce929d0e0e4736',
  ])('%s is repeated', (text) => {
    expect(codeText(text)).toBe(text);
  });

  it.each(NO_CODES)('is not repeated when it reads %j', (text) => {
    expect(codeText(text)).toBe('withheld');
  });

  it('is one short word, for any text of the service', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 200 }), (text) => {
        expect(codeText(text)).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
      }),
    );
  });
});

describe.each(NO_CODES.filter((text) => text !== ''))('an error code that reads %j', (hostile) => {
  it('does not reach the reason of a refused chunk', () => {
    const text = refusalText({ httpStatus: 400, errorCode: hostile, traceId: hostile });
    expect(text).toBe('refused by the service: withheld (status 400, trace withheld)');
  });

  it.each(['ACCOUNT', 'FEE_CALCULATION'])(
    'does not reach the note of a refused %s',
    (operation) => {
      const failure = { kind: 'refused' as const, operation, message: '', httpStatus: 400 };
      const told = { ...failure, errorCode: hostile, traceId: hostile };
      const { note } = fromServiceFailure(told, { baseUrl: 'http://s', skewMs: 0 });
      expect(JSON.stringify(note)).not.toContain(JSON.stringify(hostile).slice(1, -1));
      expect(note.what).toContain('withheld');
    },
  );
});

describe.each(['ACCOUNT', 'LOOKUP'])('the message of the service with %s', (operation) => {
  const serviceMessage = `${TRON} is on a list`;
  const failure = { kind: 'refused' as const, operation, message: '', httpStatus: 400 };
  const noteOf = (isQuoted?: boolean) =>
    fromServiceFailure(
      { ...failure, serviceMessage },
      { baseUrl: 'http://s', skewMs: 0, ...(isQuoted === undefined ? {} : { isQuoted }) },
    ).note;

  it('is printed in a terminal', () => {
    expect(noteOf(true).what).toContain(`: ${serviceMessage}`);
  });

  it.each([false, undefined])('is kept out of histories (%s)', (isQuoted) => {
    expect(JSON.stringify(noteOf(isQuoted))).not.toContain(TRON);
  });
});

describe('a refusal that is no error body of the service', () => {
  const refused = (httpStatus: number, documented: boolean) =>
    fromServiceFailure(
      { kind: 'refused', operation: 'USER', message: '', httpStatus, documented },
      { baseUrl: 'http://s', skewMs: 0 },
    ).code;

  it('is about the path when the status is 404', () => {
    expect([refused(404, false), refused(404, true)]).toEqual([
      'SERVICE_PATH_UNKNOWN',
      'SERVICE_REFUSED',
    ]);
  });

  it('is about the path when the status is 405, as is one in its form: a POST leads nowhere', () => {
    expect([refused(405, false), refused(405, true)]).toEqual([
      'SERVICE_PATH_UNKNOWN',
      'SERVICE_PATH_UNKNOWN',
    ]);
  });

  it('is a refusal like others with any other status', () => {
    expect(refused(400, false)).toBe('SERVICE_REFUSED');
  });
});

it('a refusal without code and trace states that', () => {
  expect(refusalText({ httpStatus: 400 })).toBe(
    'refused by the service: no error code (status 400, trace none)',
  );
});

describe('an error about the first line of a file', () => {
  const file = 'payroll.csv';
  const line = `${TRON},12.5,USDT_TRC20`;

  it.each([
    new BursarError('DELIMITER_UNKNOWN', { file, found: line }),
    new BursarError('HEADER_MISSING_COLUMN', { file, column: 'amount', found: line }),
    new BursarError('HEADER_UNKNOWN_COLUMN', { file, columns: TRON, advice: TRON }),
    new BursarError('HEADER_COLUMN_ABSENT', { file, flag: '--column', column: 'x', found: TRON }),
    new BursarError('WORKBOOK_UNREADABLE', { file, reason: TRON }),
    new BursarError('SHEET_NOT_CHOSEN', { file, sheets: TRON }),
    new BursarError('SHEET_NOT_FOUND', { file, sheet: 'x', sheets: TRON }),
    new BursarError('SHEET_CELLS_MERGED', { file, range: TRON }),
  ])('quotes it in the terminal and not in histories: $code', (error) => {
    expect(JSON.stringify(error.note)).toContain(TRON);
    const kept = JSON.stringify(historyNoteOf(error));
    expect(kept).not.toContain(TRON);
    expect(kept).toContain(file);
  });

  it('keeps every other note unchanged', () => {
    const error = new BursarError('FILE_EMPTY', { file });
    expect(historyNoteOf(error)).toEqual(error.note);
  });
});

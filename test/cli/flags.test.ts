import { derivedBatchId } from '../../src/operations/file/plan-of.ts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type BatchChoices,
  type BatchFlags,
  batchOptionsOf,
  FUNDS_WAIT_MS_DEFAULT,
  readAccepted,
  readBatchChoices,
} from '../../src/operations/input/batch-choices.ts';
import { readBatchId } from '../../src/domain/batch/batch-id.ts';
import { readDurationMs } from '../../src/operations/input/duration.ts';
import { readJsonText } from '../../src/operations/input/json-text.ts';
import { readInstantAhead } from '../../src/operations/input/instant.ts';
import { readReason } from '../../src/operations/input/reason.ts';
import { checkConfirmation, readExpectedTotal } from '../../src/operations/input/totals.ts';
import { readSettings } from '../../src/config.ts';
import { anyText } from '../support/any-text.ts';

const SETTINGS = readSettings({ env: {}, cwd: '/nowhere' });
const NOW_MS = Date.parse('2026-11-21T09:00:00Z');
const codeOf = (code: string) => expect.objectContaining({ code });

describe('JSON', () => {
  it('is read as JavaScript reads it', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        fc.pre(!text.includes('__proto__'));
        expect(readJsonText('JSON', text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each<{ text: string; says: string }>`
    text                                   | says
    ${''}                                  | ${'it cannot be read as JSON'}
    ${'{"a":1,}'}                          | ${'it cannot be read as JSON'}
    ${'{"a":1,"a":1}'}                     | ${'it has a field twice in one object'}
    ${'[{"b":{"amount":"1","amount":2}}]'} | ${'it has a field twice in one object'}
    ${'{"a":1,"\\u0061":2}'}               | ${'it has a field twice in one object'}
    ${'{"a":{"__proto__":{"b":1}}}'}       | ${'it has a field named __proto__'}
    ${'{"\\u005f_proto__":1}'}             | ${'it has a field named __proto__'}
    ${'['.repeat(100_000)}                 | ${'it is nested too deep'}
  `('is refused when it is $text', ({ text, says }) => {
    expect(() => readJsonText('JSON', text)).toThrow(
      expect.objectContaining({ code: 'FLAG_INVALID', facts: { flag: 'JSON', problem: says } }),
    );
  });

  it('may have the same field in two objects, and as a text', () => {
    const text = '{"a":{"b":"a"},"b":[{"a":1},{"a":"b"}]}';
    expect(readJsonText('JSON', text)).toEqual(JSON.parse(text));
  });
});

describe('an instant', () => {
  it.each<{ text: string; utc: string }>`
    text                             | utc
    ${'2026-12-01T09:00:00Z'}        | ${'2026-12-01T09:00:00.000Z'}
    ${'2026-12-01T10:00:00+01:00'}   | ${'2026-12-01T09:00:00.000Z'}
    ${'2026-12-01T10:00+01:00'}      | ${'2026-12-01T09:00:00.000Z'}
    ${'2026-12-01T00:30:00.5-05:30'} | ${'2026-12-01T06:00:00.500Z'}
    ${'2026-11-21T09:00:00.001Z'}    | ${'2026-11-21T09:00:00.001Z'}
  `('is read with its zone and written in UTC: $text', ({ text, utc }) => {
    expect(readInstantAhead('--at', text, NOW_MS)).toBe(utc);
  });

  it.each([
    '2026-12-01T09:00:00',
    '2026-12-01',
    '2026-12-01 09:00:00Z',
    '2026-12-01T24:00:00Z',
    '2026-12-01T09:60:00Z',
    '2026-12-01T09:00:00+25:00',
    '2026-12-01T09:00:00 Europe/Berlin',
    '2026-02-30T09:00:00Z',
    '2027-02-29T09:00:00Z',
    '2026-13-01T09:00:00Z',
    '01.12.2026 09:00',
    'tomorrow',
    '1796115600',
    '2026-12-01T09:00:00Z\n',
    '',
  ])('is refused when it is ambiguous between time zones: %j', (text) => {
    expect(() => readInstantAhead('--at', text, NOW_MS)).toThrow(codeOf('TIME_UNREADABLE'));
  });

  it.each(['2026-11-21T09:00:00Z', '2026-11-21T09:59:00+01:00', '1999-01-01T00:00:00Z'])(
    'is refused in the past: %s',
    (text) => {
      expect(() => readInstantAhead('--at', text, NOW_MS)).toThrow(codeOf('AT_IN_PAST'));
    },
  );

  it('is refused more than a year ahead', () => {
    expect(() => readInstantAhead('--at', '2062-12-01T09:00:00Z', NOW_MS)).toThrow(
      codeOf('FLAG_INVALID'),
    );
  });

  it('comes back from its own text', () => {
    fc.assert(
      fc.property(fc.integer({ min: NOW_MS + 1, max: NOW_MS + 365 * 86_400_000 }), (ms) => {
        const text = new Date(ms).toISOString();
        expect(readInstantAhead('--at', text, NOW_MS)).toBe(text);
      }),
    );
  });
});

describe('a duration', () => {
  it.each<{ text: string; ms: number }>`
    text     | ms
    ${'30s'} | ${30_000}
    ${'15m'} | ${900_000}
    ${'2h'}  | ${7_200_000}
    ${'3d'}  | ${259_200_000}
    ${'90d'} | ${7_776_000_000}
  `('$text is $ms milliseconds', ({ text, ms }) => {
    expect(readDurationMs('--timeout', text)).toBe(ms);
  });

  it.each(['0s', '30', '1.5h', '-1m', '91d', 's', '1 h', '1H', '99999999999s', ''])(
    'refuses %j',
    (text) => {
      expect(() => readDurationMs('--timeout', text)).toThrow(codeOf('FLAG_INVALID'));
    },
  );
});

describe('the id of a batch', () => {
  it.each(['a', 'payroll-2026.11', 'A_1', '0', 'x'.repeat(64)])('may be %j', (id) => {
    expect(readBatchId(id)).toBe(id);
  });

  it.each(['', '-a', '.a', 'a/b', 'a b', 'ä', 'x'.repeat(65), '../x', 'a\n'])(
    'may not be %j',
    (id) => {
      expect(() => readBatchId(id)).toThrow(codeOf('BATCH_ID_INVALID'));
    },
  );

  it.each<{ file: string; id: string }>`
    file                  | id
    ${'payroll.csv'}      | ${'payroll-0123abcd'}
    ${'payroll.csv.gz'}   | ${'payroll-0123abcd'}
    ${'PAYROLL.CSV'}      | ${'PAYROLL-0123abcd'}
    ${'Gehälter Nov.csv'} | ${'Geh-lter-Nov-0123abcd'}
    ${'зарплата.csv'}     | ${'batch-0123abcd'}
    ${'..csv'}            | ${'batch-0123abcd'}
    ${'-rf.csv'}          | ${'rf-0123abcd'}
    ${'a.tar'}            | ${'a.tar-0123abcd'}
  `('is $id for the file $file that was given none', ({ file, id }) => {
    expect(derivedBatchId(file, '0123abcdef')).toBe(id);
  });

  it('is valid for any name of the file', () => {
    fc.assert(
      fc.property(anyText(), (name) => {
        const id = derivedBatchId(name, '0123abcdef');
        expect(readBatchId(id)).toBe(id);
      }),
    );
  });
});

describe('totals', () => {
  const TOTALS = [
    { currency: 'USDT_TRC20', total: '1500.75' },
    { currency: 'BTC', total: '2' },
  ];

  it.each(['2:BTC,1500.75:USDT_TRC20', '1500.750:USDT_TRC20, 2.0:BTC'])(
    'are confirmed by %j',
    (text) => {
      expect(() => checkConfirmation(text, TOTALS)).not.toThrow();
    },
  );

  it.each([
    '1500.75:USDT_TRC20',
    '1500.75:USDT_TRC20,2:BTC,2:BTC',
    '1500.74:USDT_TRC20,2:BTC',
    '1500,75:USDT_TRC20,2:BTC',
    '1500.75:USDT_ERC20,2:BTC',
    '1500.75,2',
    'yes',
    '',
    ',',
    '1.50075E3:USDT_TRC20,2:BTC',
  ])('are not confirmed by %j', (text) => {
    expect(() => checkConfirmation(text, TOTALS)).toThrow(codeOf('CONFIRMATION_WRONG'));
  });

  it.each(['10', '10.5', '10.50:BTC', '0:USDT_TRC20'])('may be expected as %j', (text) => {
    expect(readExpectedTotal(text)).toBe(text);
  });

  it.each(['', '1,000', '1e3', '-5', '10:', '10:btc', '10:BTC:1', ':BTC', 'BTC:10'])(
    'may not be expected as %j',
    (text) => {
      expect(() => readExpectedTotal(text)).toThrow(codeOf('FLAG_INVALID'));
    },
  );
});

describe('the choices of a batch', () => {
  it('are few when no flag is given', () => {
    expect(readBatchChoices({}, NOW_MS)).toEqual({
      id: null,
      currency: null,
      at: null,
      executionDate: null,
      skipInvalid: false,
      expectCount: null,
      expectTotals: [],
      accept: [],
      fundsWaitMs: null,
      canaryRows: null,
      stopLoss: null,
      beforeScheduled: false,
    });
  });

  it.each<{ flags: BatchFlags; chosen: Partial<BatchChoices> }>`
    flags                             | chosen
    ${{ canary: '0' }}                | ${{ canaryRows: 0 }}
    ${{ canary: '10000' }}            | ${{ canaryRows: 10_000 }}
    ${{ stopLoss: '5%' }}             | ${{ stopLoss: ['5%'] }}
    ${{ stopLoss: '0.5%, 1000:TRX' }} | ${{ stopLoss: ['0.5%', '1000:TRX'] }}
    ${{ stopLoss: 'none' }}           | ${{ stopLoss: [] }}
  `('are taken from $flags', ({ flags, chosen }) => {
    expect(readBatchChoices(flags, NOW_MS)).toMatchObject(chosen);
  });

  it.each<BatchFlags>([
    { canary: '' },
    { canary: '-1' },
    { canary: '1.5' },
    { canary: '1e3' },
    { canary: '10001' },
    { stopLoss: '' },
    { stopLoss: ',' },
    { stopLoss: '5' },
    { stopLoss: '-5%' },
    { stopLoss: '5%,none' },
    { stopLoss: '1000:usdt' },
  ])('are refused: %j', (flags) => {
    expect(() => readBatchChoices(flags, NOW_MS)).toThrow(codeOf('FLAG_INVALID'));
  });

  it('go before the settings, where there are any', () => {
    const settings = { ...SETTINGS, batch: { ...SETTINGS.batch, canaryRows: 3, stopLoss: ['9%'] } };
    const optionsOf = (flags: BatchFlags) =>
      batchOptionsOf(readBatchChoices(flags, NOW_MS), settings);
    expect(optionsOf({})).toMatchObject({ canaryRows: 3, stopLoss: ['9%'] });
    expect(optionsOf({ canary: '0', stopLoss: 'none' })).toMatchObject({
      canaryRows: 0,
      stopLoss: [],
    });
  });

  it.each<{ funds: string; ms: number | null }>`
    funds        | ms
    ${'fail'}    | ${null}
    ${'wait'}    | ${FUNDS_WAIT_MS_DEFAULT}
    ${'wait:2h'} | ${7_200_000}
  `('wait for funds as --funds $funds says', ({ funds, ms }) => {
    expect(readBatchChoices({ funds }, NOW_MS).fundsWaitMs).toBe(ms);
  });

  it('go before scheduled batches only with --before-scheduled', () => {
    expect(readBatchChoices({ beforeScheduled: true }, NOW_MS).beforeScheduled).toBe(true);
  });

  it.each(['no', 'wait:', 'wait:soon', 'WAIT', ''])('refuse --funds %j', (funds) => {
    expect(() => readBatchChoices({ funds }, NOW_MS)).toThrow(codeOf('FLAG_INVALID'));
  });

  it('take accepted codes once, however they are given', () => {
    const accept = ['DUPLICATE_ROW, UNKNOWN_NETWORK', 'DUPLICATE_ROW'];
    expect(readAccepted(accept)).toEqual(['DUPLICATE_ROW', 'UNKNOWN_NETWORK']);
  });

  it('list the valid codes when one is unknown', () => {
    expect(() => readAccepted(['DUPLICATE_ROWS'])).toThrow(
      expect.objectContaining({ message: expect.stringContaining('ADDRESS_BURN') }),
    );
  });

  it.each(['', '   ', 'x'.repeat(501)])('take no reason such as %j', (text) => {
    expect(() => readReason(text)).toThrow(codeOf('FLAG_INVALID'));
  });
});

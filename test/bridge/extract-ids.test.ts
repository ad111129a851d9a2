import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  WEBHOOK_ID_LENGTH_MAX as ID_LENGTH_MAX,
  WEBHOOK_IDS_MAX as IDS_MAX,
} from '@bursar/merchant-api';
import { extractIds } from '../../src/bridge/extract-ids.ts';
import { massPayoutEvent } from '../../packages/sandbox/src/core/events.ts';
import { eventBody } from '../../packages/sandbox/src/core/webhook-message.ts';

const UUID = 'c0ffee00-1234-4abc-8def-00000000cafe';
const EXTERNAL_ID = 'payroll-2026.11_b/17/0';

const idsIn = (text: string): string[] => extractIds(Buffer.from(text));
const idsInJson = (value: unknown): string[] => idsIn(JSON.stringify(value));

const nest = (value: unknown, levels: number): unknown =>
  levels === 0 ? value : { inner: nest(value, levels - 1) };

describe('JSON bodies', () => {
  it.each([
    'id',
    'ID',
    'Id',
    'payoutId',
    'payout_id',
    'massPayoutId',
    'mass-payout-id',
    'idempotencyKey',
    'idempotency_key',
    'externalId',
    'uuid',
    'reference',
    'ids',
  ])('returns any value of the field "%s"', (field) => {
    expect(idsInJson({ data: { [field]: 'P 42' } })).toEqual(['P 42']);
  });

  it.each(['state', 'comment', 'amount', 'idea', 'keyboard', ''])(
    'returns no value of the field "%s"',
    (field) => {
      expect(idsInJson({ data: { [field]: 'P 42' } })).toEqual([]);
    },
  );

  it.each(['state', 'text', 'x', ''])('returns a UUID in a field with any name: "%s"', (field) => {
    expect(idsInJson({ [field]: UUID })).toEqual([UUID]);
    expect(idsInJson({ [field]: `payout ${UUID} changed` })).toEqual([UUID]);
  });

  it('returns our external ids in a field with any name, also inside a text', () => {
    expect(idsInJson({ anything: EXTERNAL_ID })).toContain(EXTERNAL_ID);
    expect(idsInJson({ anything: `see ${EXTERNAL_ID}.` })).toContain(EXTERNAL_ID);
  });

  it('reads an external id whose slashes are escaped', () => {
    expect(idsIn(`{"anything":"payroll\\/3\\/0"}`)).toEqual(['payroll/3/0']);
  });

  it('reads a UUID that is written with escapes', () => {
    expect(idsIn(`{"anything":"${UUID.replaceAll('-', '\\u002d')}"}`)).toEqual([UUID]);
  });

  it('returns a UUID in capital letters also in lower case', () => {
    expect(idsInJson({ id: UUID.toUpperCase() })).toEqual([UUID.toUpperCase(), UUID]);
  });

  it('returns whole numbers of id fields as text', () => {
    expect(idsInJson({ id: 42, amount: 43 })).toEqual(['42']);
  });

  it('reads lists, and lists of lists, under an id field', () => {
    expect(idsInJson({ payoutIds: ['a', ['b', { id: 'c' }]], others: ['d'] })).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it('returns the ids nearest to the top first', () => {
    expect(
      idsInJson({ errors: [{ deep: { id: 'third' } }, { id: 'second' }], id: 'first' }),
    ).toEqual(['first', 'second', 'third']);
  });

  it('returns each id once', () => {
    expect(idsInJson([{ id: UUID }, { id: UUID }, { key: UUID }, UUID])).toEqual([UUID]);
  });

  it('reads JSON in a string of JSON, on two levels', () => {
    const inner = JSON.stringify({ id: 'inmost' });
    const middle = JSON.stringify({ id: 'middle', data: inner });
    expect(idsInJson({ id: 'outer', payload: middle })).toEqual(['outer', 'middle', 'inmost']);
    expect(idsInJson(JSON.stringify({ id: 'in a string' }))).toEqual(['in a string']);
  });

  it('reads no deeper than two levels of strings', () => {
    const wrap = (value: unknown, times: number): unknown =>
      times === 0 ? value : JSON.stringify({ wrapped: wrap(value, times - 1) });
    expect(idsInJson({ x: wrap({ id: 'P 1' }, 3) })).toEqual([]);
  });

  it('reads 64 levels of values by name, and any level by shape', () => {
    expect(idsInJson(nest({ id: 'P 1' }, 63))).toEqual(['P 1']);
    expect(idsInJson(nest({ id: 'P 1' }, 64))).toEqual([]);
    expect(idsInJson(nest({ id: UUID }, 500))).toEqual([UUID]);
  });

  it('returns both values of a repeated field when they have the shape of ids', () => {
    const other = UUID.replace('c0ffee', 'decade');
    expect(idsIn(`{"id":"${UUID}","id":"${other}"}`).toSorted()).toEqual([UUID, other]);
  });

  it('reads the ids of a body that was cut short', () => {
    expect(idsIn(`{"data":{"id":"${UUID}","externalId":"${EXTERNAL_ID}","sta`)).toEqual([
      UUID,
      EXTERNAL_ID,
    ]);
  });

  it('reads JSON after a byte order mark', () => {
    expect(idsIn('\uFEFF{"id":"P 1"}')).toEqual(['P 1']);
  });

  it('reads fields whose names have a meaning in JavaScript', () => {
    expect(idsIn('{"__proto__":{"id":"a"},"constructor":{"id":"b"}}')).toEqual(['a', 'b']);
    expect(({} as Record<string, unknown>)['id']).toBeUndefined();
  });

  it.each([
    ['nested', 'none'],
    ['nested', 'some'],
    ['flat', 'none'],
    ['flat', 'some'],
  ] as const)(
    'finds the ids in webhooks of the sandbox (%s, extra fields: %s)',
    (webhookBody, extraFields) => {
      const massPayout = {
        id: 'P 1',
        idempotencyKey: UUID,
        externalId: EXTERNAL_ID,
        state: 'PAID',
      };
      const modes = { webhookBody, accountId: 'hex', accountCase: 'any', extraFields } as const;
      const body = eventBody(massPayoutEvent(massPayout as never), modes);
      expect(idsIn(body)).toEqual(['P 1', UUID, EXTERNAL_ID]);
    },
  );
});

describe('other bodies', () => {
  it.each([
    ['plain text', `Payout ${UUID} of ${EXTERNAL_ID} changed`],
    ['XML', `<event><id>${UUID}</id><ref>${EXTERNAL_ID}</ref></event>`],
    ['a form', `event=x&payout=${UUID}&ref=${encodeURIComponent(EXTERNAL_ID)}`],
    [
      'JSON in a form',
      `payload=${encodeURIComponent(JSON.stringify({ a: UUID, b: EXTERNAL_ID }))}`,
    ],
    ['a query', `?urn=urn:uuid:${UUID}&x=${EXTERNAL_ID}`],
    ['lines of JSON', `{"id":"${UUID}"}\n{"x":"${EXTERNAL_ID}"}`],
  ])('returns UUIDs and external ids in %s', (_format, text) => {
    expect(idsIn(text)).toEqual(expect.arrayContaining([UUID, EXTERNAL_ID]));
  });

  it('returns the value of an id field of a form', () => {
    expect(idsIn('type=x&payout_id=P+42&state=PAID')).toEqual(['P 42']);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['white space', Buffer.from(' \n ')],
    ['null', Buffer.from('null')],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0x80, 0xc0])],
    ['a compressed body', Buffer.from('1f8b08000000000000ff4b4a06000000ffff', 'hex')],
    ['zeros', Buffer.alloc(1_000)],
  ])('returns no id for %s', (_what, body) => {
    expect(extractIds(body)).toEqual([]);
  });
});

describe('hostile bodies', () => {
  it('returns no more ids than the limit', () => {
    expect(idsInJson(Array.from({ length: 5_000 }, (_, i) => ({ id: `P ${i}` })))).toHaveLength(
      IDS_MAX,
    );
  });

  it('leaves out ids that are too long or empty', () => {
    const longest = 'x'.repeat(ID_LENGTH_MAX);
    expect(idsInJson({ id: longest, key: `${longest}x`, uuid: '' })).toEqual([longest]);
  });

  it.each([
    ['an open list in a list', '['.repeat(250_000)],
    ['a list in a list', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['an object in an object', `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`],
    ['one letter', 'a'.repeat(250_000)],
    ['the starts of UUIDs', 'c0ffee00-1234-4abc-8def-'.repeat(10_000)],
    ['slashes', '1/'.repeat(120_000)],
    ['one word and slashes', `${'a'.repeat(63)}/1/`.repeat(3_800)],
    ['strings that look like JSON', JSON.stringify(Array.from({ length: 60_000 }, () => '{'))],
    ['empty fields of a form', '&='.repeat(120_000)],
    ['escapes of a form', '%'.repeat(250_000)],
    ['one endless name', JSON.stringify({ ['d'.repeat(250_000)]: 'P 1' })],
  ])('finish in time: %s', (_what, text) => {
    expect(idsIn(text).length).toBeLessThanOrEqual(IDS_MAX);
  });

  it('never throws and keeps its limits for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5_000 }), (bytes) => {
        const ids = extractIds(Buffer.from(bytes));
        expect(ids.length).toBeLessThanOrEqual(IDS_MAX);
        expect(ids.every((id) => id.length <= ID_LENGTH_MAX)).toBe(true);
      }),
    );
  });

  it('finds an id under an id field anywhere in JSON', () => {
    const holder = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 10 },
        fc.constant({ payoutId: 'P 42' }),
        fc.record({ before: fc.jsonValue(), inner: tie('value') }),
        fc.tuple(fc.jsonValue(), tie('value')),
      ),
    })).value;
    fc.assert(
      fc.property(holder, (value) => {
        expect(idsInJson(value)).toContain('P 42');
      }),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  findWebhookIds,
  parseWebhook,
  signWebhook,
  verifyWebhook,
  WEBHOOK_IDS_MAX,
} from '@bursar/merchant-api';
import { EVENT_TYPES } from '@bursar/merchant-api/spec';
import { massPayoutEvent } from '../../sandbox/src/core/events.ts';
import { eventBody, webhookHeaders } from '../../sandbox/src/core/webhook-message.ts';
import { secretString } from '../src/secret-string.ts';
import { ACCOUNT, IDEMPOTENCY_KEY } from './support/fixtures.ts';

const PAYOUT = {
  id: 'mp-1',
  idempotencyKey: IDEMPOTENCY_KEY,
  externalId: 'payroll/1',
  state: 'COMPLETED',
};
const EVENT = massPayoutEvent({ ...PAYOUT, account: ACCOUNT } as never);
const KEYS = { publicKey: 'public-1', secretKey: 'secret-1' };

const parse = (value: unknown) => parseWebhook(JSON.stringify(value));

describe('parseWebhook', () => {
  it.each([
    ['nested', 'none'],
    ['nested', 'some'],
    ['flat', 'none'],
    ['flat', 'some'],
  ] as const)(
    'reads a webhook of the sandbox (%s, extra fields: %s)',
    (webhookBody, extraFields) => {
      const body = eventBody(EVENT, {
        webhookBody,
        accountId: 'hex',
        accountCase: 'any',
        extraFields,
      });
      expect(parseWebhook(Buffer.from(body))).toMatchObject({
        type: 'PAYOUT_CHANGE_STATUS',
        account: ACCOUNT,
        payout: PAYOUT,
        ids: ['mp-1', IDEMPOTENCY_KEY, 'payroll/1'],
        content: { type: 'PAYOUT_CHANGE_STATUS' },
      });
    },
  );

  it('finds only the id of the webhook in one that is opaque', () => {
    const modes = {
      webhookBody: 'opaque',
      accountId: 'hex',
      accountCase: 'any',
      extraFields: 'none',
    } as const;
    const body = eventBody(EVENT, modes);
    const { eventId } = JSON.parse(body) as { eventId: string };
    expect(parseWebhook(body)).toEqual({ type: 'UNKNOWN', ids: [eventId], content: { eventId } });
  });

  it('narrows by the type: only a webhook about a payout has one', () => {
    for (const type of EVENT_TYPES) {
      const event = parse({ type, data: { id: 'x' } });
      expect(event.type).toBe(type);
      expect('payout' in event).toBe(type.startsWith('PAYOUT_'));
    }
  });

  it('keeps the name of a type that is newer than the client', () => {
    expect(parse({ type: 'PAYOUT_REVIEWED', data: { id: 'mp-1' } })).toMatchObject({
      type: 'UNKNOWN',
      typeName: 'PAYOUT_REVIEWED',
      ids: ['mp-1'],
    });
  });

  it.each([
    ['another field', { eventType: 'INVOICE_PAID', id: 'i-1' }],
    ['the second level', { data: { event: 'INVOICE_PAID', id: 'i-1' } }],
    ['another field beside a type of its own', { type: 'notification', name: 'INVOICE_PAID' }],
  ])('takes the event type from %s', (_where, body) => {
    expect(parse(body).type).toBe('INVOICE_PAID');
  });

  it('takes none of two event types', () => {
    expect(parse({ was: 'INVOICE_PAID', is: 'INVOICE_EXPIRED' }).type).toBe('UNKNOWN');
  });

  it('keeps every digit of a number', () => {
    const text =
      '{"type":"PAYOUT_CONFIRMED","id":12345678901234567890,"amount":0.10000000000000000001}';
    expect(parseWebhook(text)).toMatchObject({
      payout: { id: '12345678901234567890' },
      content: { amount: '0.10000000000000000001' },
    });
  });

  it.each([{ id: '' }, { id: null }, { id: {} }, { id: ['mp-1'] }, { id: true }])(
    'leaves out a field of another form: %j',
    (data) => {
      expect(parse({ type: 'PAYOUT_CONFIRMED', data })).toMatchObject({ payout: {} });
      expect(parse({ type: 'PAYOUT_CONFIRMED', data })).not.toHaveProperty('payout.id');
    },
  );

  it.each([
    ['nothing', ''],
    ['text', `payout ${IDEMPOTENCY_KEY} changed`],
    ['XML', `<event id="${IDEMPOTENCY_KEY}"/>`],
    ['a form', `type=PAYOUT_CONFIRMED&id=${IDEMPOTENCY_KEY}`],
    ['cut JSON', `{"type":"PAYOUT_CONFIRMED","id":"${IDEMPOTENCY_KEY}`],
    ['one name twice', `{"type":"PAYOUT_CONFIRMED","id":"${IDEMPOTENCY_KEY}","id":"b"}`],
    ['nesting without end', `${'['.repeat(100_000)}"${IDEMPOTENCY_KEY}"`],
  ])('gives the type UNKNOWN, the ids and no content for %s', (what, body) => {
    const event = parseWebhook(body);
    expect(event).toEqual({ type: 'UNKNOWN', ids: event.ids });
    expect(event.ids.includes(IDEMPOTENCY_KEY)).toBe(what !== 'nothing');
  });

  it('reads text after a byte order mark, as bytes or as text', () => {
    const body = '\uFEFF{"type":"PAYOUT_CONFIRMED"}';
    expect(parseWebhook(body).type).toBe('PAYOUT_CONFIRMED');
    expect(parseWebhook(Buffer.from(body)).type).toBe('PAYOUT_CONFIRMED');
  });

  it('reads fields whose names have a meaning in JavaScript', () => {
    const event = parseWebhook('{"__proto__":{"type":"INVOICE_PAID"},"constructor":{"id":"b"}}');
    expect(event).toMatchObject({ type: 'UNKNOWN', ids: ['b'] });
    expect(({} as Record<string, unknown>)['type']).toBeUndefined();
  });

  it('never throws, whatever came', () => {
    const bodies = fc.oneof(
      fc.uint8Array({ maxLength: 2_000 }),
      fc.json(),
      fc.string(),
      fc.jsonValue().map((data) => JSON.stringify({ type: 'PAYOUT_CONFIRMED', data })),
    );
    fc.assert(
      fc.property(bodies, (body) => {
        expect(parseWebhook(body).ids.length).toBeLessThanOrEqual(WEBHOOK_IDS_MAX);
      }),
    );
  });
});

describe('findWebhookIds', () => {
  it.each([/ORDER-\d+/, /ORDER-\d+/g])('finds ids of the own shape %p in any text', (ownShape) => {
    const body = '{"note":"for ORDER-7 and ORDER-8"}';
    expect(findWebhookIds(body, { ownShape })).toEqual(['ORDER-7', 'ORDER-8']);
    expect(parseWebhook(body, { ownShape }).ids).toEqual(['ORDER-7', 'ORDER-8']);
    expect(findWebhookIds(body)).toEqual([]);
  });
});

describe('verifyWebhook', () => {
  const body = JSON.stringify({ type: 'PAYOUT_CONFIRMED', name: 'Löhne' });
  const headers = webhookHeaders(KEYS, body, 'hmac-sha512');

  it('verifies what the sandbox signs', () => {
    expect(verifyWebhook({ body, headers }, [KEYS])).toBe('verified');
    expect(verifyWebhook({ body: Buffer.from(body), headers }, [KEYS])).toBe('verified');
  });

  it('signs as the sandbox does', () => {
    expect(signWebhook(body, KEYS)).toEqual(headers);
  });

  it('takes a secret key as the list of subscriptions returns it', () => {
    const secretKey = secretString(KEYS.secretKey);
    expect(verifyWebhook({ body, headers }, [{ ...KEYS, secretKey }])).toBe('verified');
  });

  it.each<[string, ConstructorParameters<typeof Headers>[0] | object]>([
    ['in lower case, as Node.js has them', { key: headers['Key'], sign: headers['Sign'] }],
    ['of the Fetch API', new Headers(headers)],
    ['with a signature in capital letters', { ...headers, Sign: headers['Sign']?.toUpperCase() }],
    ['as lists', { Key: [headers['Key']], Sign: [headers['Sign']] }],
    ['without a public key', { Sign: headers['Sign'] }],
  ])('reads headers %s', (_how, given) => {
    expect(verifyWebhook({ body, headers: given as never }, [KEYS])).toBe('verified');
  });

  it('chooses the keys by the public key', () => {
    const other = { publicKey: 'public-2', secretKey: 'secret-2' };
    expect(verifyWebhook({ body, headers }, [other, KEYS])).toBe('verified');
    const swapped = { ...headers, Key: other.publicKey };
    expect(verifyWebhook({ body, headers: swapped }, [other, KEYS])).toBe('wrong-signature');
  });

  it.each<[string, object]>([
    ['another body', { body: `${body} ` }],
    ['a cut signature', { headers: { ...headers, Sign: headers['Sign']?.slice(1) } }],
    ['an empty signature', { headers: { ...headers, Sign: '' } }],
    ['a signature that is no text of digits', { headers: { ...headers, Sign: 'é'.repeat(64) } }],
    ['two signatures', { headers: { ...headers, Sign: [headers['Sign'], headers['Sign']] } }],
  ])('finds a wrong signature with %s', (_what, change) => {
    expect(verifyWebhook({ body, headers, ...change }, [KEYS])).toBe('wrong-signature');
  });

  it.each<[string, object]>([
    ['has no headers', {}],
    ['has a public key alone', { Key: KEYS.publicKey }],
    ['names a public key that was not given', { ...headers, Key: 'public-3' }],
  ])('says that a webhook cannot be verified when it %s', (_what, given) => {
    expect(verifyWebhook({ body, headers: given as never }, [KEYS])).toBe('cannot-be-verified');
  });

  it('says so, too, when no keys are given', () => {
    expect(verifyWebhook({ body, headers }, [])).toBe('cannot-be-verified');
  });

  it('refuses an empty secret key, with which anybody could sign', () => {
    const empty = { ...KEYS, secretKey: '' };
    expect(() => verifyWebhook({ body, headers }, [empty])).toThrow(/must not be empty/);
    expect(() => signWebhook(body, empty)).toThrow(/must not be empty/);
  });

  it('is found wrong after a change of any one byte', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: Buffer.from(body).length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        (at, by) => {
          const changed = Buffer.from(body);
          changed[at] = (changed[at] ?? 0) ^ by;
          expect(verifyWebhook({ body: changed, headers }, [KEYS])).toBe('wrong-signature');
        },
      ),
    );
  });
});

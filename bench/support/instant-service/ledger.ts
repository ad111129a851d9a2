import { formatAmount, parseAmount, sumAmounts } from '../../../src/domain/money/amount.ts';

/** What the service knows of a mass payout: its record without the state, as the inside of a JSON object. */
type MassPayout = Readonly<{ id: string; fields: string }>;

/**
 * What arrived for one batch: create requests that made a mass payout, when the last of them came (Unix milliseconds), the
 * longest time from one to the next, their rows, and the bytes of their bodies. `repeatedRows`: the rows of creates under a key
 * that was known.
 */
export type Seen = Readonly<{
  creates: number;
  lastCreateAtMs: number;
  longestPauseMs: number;
  rows: number;
  bodyBytes: number;
  repeatedRows: number;
}>;

type Found = Readonly<{ record: string } | { errorCode: 'INVALID_REQUEST' | 'NOT_FOUND' }>;

export type Ledger = ReturnType<typeof createLedger>;

type Payload = Readonly<{
  currency: string;
  idempotencyKey: string;
  externalId: string;
  massAddresses: readonly unknown[];
}>;

type Envelope = Readonly<{ account: string; payload: Payload }>;

/** Keeps mass payouts in memory, and believes everything. A key that is known gives the mass payout that it made. */
export function createLedger() {
  const byId = new Map<string, MassPayout>();
  const byKey = new Map<string, MassPayout>();
  const seen = new Map<string, Seen>();
  return {
    /** Takes the body of a create request; answers with the record. */
    create(body: string): string {
      const { account, payload } = JSON.parse(body) as Envelope;
      const known = byKey.get(payload.idempotencyKey);
      if (known !== undefined) {
        countRepeated(seen, payload);
        return recordText(known, 'CREATION_IN_PROGRESS');
      }
      const massPayout = { id: `mp-${byId.size + 1}`, fields: fieldsOf(body, account, payload) };
      byId.set(massPayout.id, massPayout);
      byKey.set(payload.idempotencyKey, massPayout);
      count(seen, payload, Buffer.byteLength(body));
      return recordText(massPayout, 'CREATION_IN_PROGRESS');
    },
    /** Takes the body of a read by id or key; answers with the record, paid already, or with the code of a refusal. */
    find(body: string): Found {
      const { payload = {} } = JSON.parse(body) as {
        payload?: { id?: string; idempotencyKey?: string };
      };
      const { id, idempotencyKey } = payload;
      // The engine pays only over a service that refuses a wrong read otherwise than one of an unknown id.
      if (id === undefined && idempotencyKey === undefined) return { errorCode: 'INVALID_REQUEST' };
      const found = byId.get(id ?? '') ?? byKey.get(idempotencyKey ?? '');
      return found === undefined
        ? { errorCode: 'NOT_FOUND' }
        : { record: recordText(found, 'COMPLETED') };
    },
    seen: (): Record<string, Seen> => Object.fromEntries(seen),
  };
}

const recordText = ({ id, fields }: MassPayout, state: string): string =>
  `{"id":"${id}","state":"${state}",${fields}}`;

function fieldsOf(body: string, account: string, payload: Envelope['payload']): string {
  const { currency, idempotencyKey, externalId } = payload;
  const texts = JSON.stringify({ account, currency, idempotencyKey, externalId });
  return `${texts.slice(1, -1)},"totalWithdrawalAmount":${totalOf(body)}`;
}

/** The exact sum, from the text: a JavaScript number would round it. In a comment the quotes would be escaped. */
function totalOf(body: string): string {
  const amounts = [...body.matchAll(/"amount":([\d.]+)/g)];
  return formatAmount(sumAmounts(amounts.map(([, amount = '']) => parseAmount(amount))));
}

function count(seen: Map<string, Seen>, payload: Payload, bodyBytes: number): void {
  const before = seenOf(seen, payload);
  const nowMs = Date.now();
  const pauseMs = before.creates === 0 ? 0 : nowMs - before.lastCreateAtMs;
  seen.set(batchIdOf(payload), {
    ...before,
    creates: before.creates + 1,
    lastCreateAtMs: nowMs,
    longestPauseMs: Math.max(before.longestPauseMs, pauseMs),
    rows: before.rows + payload.massAddresses.length,
    bodyBytes: before.bodyBytes + bodyBytes,
  });
}

function countRepeated(seen: Map<string, Seen>, payload: Payload): void {
  const before = seenOf(seen, payload);
  const repeatedRows = before.repeatedRows + payload.massAddresses.length;
  seen.set(batchIdOf(payload), { ...before, repeatedRows });
}

const seenOf = (seen: ReadonlyMap<string, Seen>, payload: Payload): Seen =>
  seen.get(batchIdOf(payload)) ?? NOTHING_SEEN;

const NOTHING_SEEN: Seen = {
  creates: 0,
  lastCreateAtMs: 0,
  longestPauseMs: 0,
  rows: 0,
  bodyBytes: 0,
  repeatedRows: 0,
};

/** The first part of an external id is the batch; see `externalIdOf`. */
const batchIdOf = ({ externalId }: Payload): string => externalId.split('/')[0] ?? '';

import { describe, expect, it } from '@jest/globals';
import { createLedger } from '../../bench/support/instant-service/ledger.ts';

const CREATE = JSON.stringify({
  account: '0xa',
  payload: {
    currency: 'USDT_TRC20',
    idempotencyKey: 'k',
    externalId: 'b/0/0',
    massAddresses: [{ amount: 1 }],
  },
});

describe('the service of a bench', () => {
  it('finds a mass payout by its id and by its key', () => {
    const ledger = createLedger();
    ledger.create(CREATE);
    for (const payload of [{ id: 'mp-1' }, { idempotencyKey: 'k' }]) {
      expect(ledger.find(JSON.stringify({ payload }))).toEqual({
        record: expect.stringContaining('"state":"COMPLETED"'),
      });
    }
  });

  it('refuses a read that names none otherwise than one that names none that exists: a batch is not paid without that', () => {
    const ledger = createLedger();
    expect(ledger.find('{"payload":{"id":"mp-1"}}')).toEqual({ errorCode: 'NOT_FOUND' });
    expect(ledger.find('{"payload":{"nonsense":"mp-1"}}')).toEqual({
      errorCode: 'INVALID_REQUEST',
    });
    expect(ledger.find('{}')).toEqual({ errorCode: 'INVALID_REQUEST' });
  });
});

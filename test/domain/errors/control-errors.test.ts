import { expect, it } from '@jest/globals';
import { noteOf } from '../../../src/domain/errors/bursar-error.ts';

it.each(['Fees are 12 USDT_TRC20; the cap is 10.', 'the first rows of BTC were not all paid'])(
  'the sentence of a hold for "%s" ends with one full stop',
  (hold) => {
    const { what } = noteOf('HOLD_NEEDS_APPROVAL', { batchId: 'b', hold });
    const told = hold.replace(/\.$/, '');
    expect(what).toBe(`Batch b is on hold: ${told}. Only an approval lifts this hold.`);
  },
);

it.each(['canceled by ann: a typo.', 'canceled by ann: a typo'])(
  'the sentence of a batch that was stopped as "%s" ends with one full stop',
  (stopped) => {
    const { what } = noteOf('BATCH_STOPPED', { batchId: 'b', stopped });
    expect(what).toBe('Nothing more of batch b is sent: canceled by ann: a typo.');
  },
);

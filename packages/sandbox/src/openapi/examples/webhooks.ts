import { EVENT_TYPES_OF_GROUP } from '@bursar/merchant-api/spec';
import { ENVELOPE } from './facts.ts';

const URL = 'http://127.0.0.1:9099/hooks';
const REQUEST_ID = 'b6a1f0de-2d5c-4f63-8f0e-4f3c9a7d1e52';
const CREATED_DATE = '2026-11-20T12:00:10.000Z';

const CREATED = {
  requestId: REQUEST_ID,
  notificationEventTypes: [...EVENT_TYPES_OF_GROUP.PAYOUT, 'SETTLEMENT_TOP_UP_COMPLETED'],
  url: URL,
  publicKey: '51dec08c-b51d-4a5a-bcd5-d173a71e572e',
  secretKey: '00112233445566778899aabbccddeeff'.repeat(2),
  createdDate: CREATED_DATE,
  enabled: true,
  blockedByErrorCount: false,
  errorCount: 0,
  errorFirstDate: CREATED_DATE,
  errorLastDate: CREATED_DATE,
};

const CHANGED = { ...CREATED, notificationEventTypes: ['PAYOUT_CHANGE_STATUS'], enabled: false };

export const WEBHOOK_CREATE_EXAMPLES = {
  payouts: {
    summary: 'Every event of mass payouts, and top-ups',
    request: {
      ...ENVELOPE,
      payload: {
        url: URL,
        requestId: REQUEST_ID,
        notificationEventTypes: ['SETTLEMENT_TOP_UP_COMPLETED'],
        notificationServiceTypes: ['PAYOUT'],
      },
    },
    answer: CREATED,
  },
};

export const WEBHOOK_LIST_EXAMPLES = {
  subscriptions: {
    summary: 'The subscriptions of an account',
    request: ENVELOPE,
    answer: { subscriptions: [CREATED] },
  },
};

export const WEBHOOK_CHANGE_EXAMPLES = {
  narrowed: {
    summary: 'One event instead, and not now',
    request: {
      ...ENVELOPE,
      payload: {
        url: URL,
        requestId: REQUEST_ID,
        notificationEventTypes: CHANGED.notificationEventTypes,
        enabled: false,
      },
    },
    answer: CHANGED,
  },
};

export const WEBHOOK_DELETE_EXAMPLES = {
  ended: {
    summary: 'The end of a subscription',
    request: { ...ENVELOPE, payload: { requestId: REQUEST_ID } },
    answer: CHANGED,
  },
};

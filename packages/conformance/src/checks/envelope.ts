import type { ServiceRequest } from '../body.ts';
import { TIMESTAMP_WINDOW_MS } from '@bursar/merchant-api/spec';
import { type ConformanceCheck, met, notShown } from '../check.ts';
import {
  demand,
  demandAccepted,
  demandRefused,
  fieldOf,
  isAccepted,
  showAnswer,
  TooSlow,
} from '../expect.ts';
import type { CheckRun } from '../run.ts';
import { acceptedRequest } from '../scenarios/account.ts';
import { payoutPayload, sendPayout } from '../scenarios/creates.ts';
import { paidPayout } from '../scenarios/payouts.ts';
import { NOWHERE, withSubscription } from '../scenarios/subscriptions.ts';
import type { ServiceAnswer } from '../service.ts';
import { everyOperation } from './every-operation.ts';

const ABOUT = { section: 'Request envelope', needs: ['ACCOUNT'] } as const;

const ask = ({ service }: CheckRun, request: ServiceRequest): Promise<ServiceAnswer> =>
  service.send('ACCOUNT', request);

const refusal = (
  id: string,
  sentence: string,
  request: () => ServiceRequest,
): ConformanceCheck => ({
  ...ABOUT,
  id: `envelope.${id}`,
  sentence,
  try: async (run) => {
    await acceptedRequest(run);
    return met(demandRefused(await ask(run, request())));
  },
});

/**
 * How far inside or outside the window the tried timestamps are. It exceeds the difference of two
 * clocks.
 */
const CLEAR_MS = 20_000;

const acceptance = (id: string, sentence: string, offsetMs: number): ConformanceCheck => ({
  ...ABOUT,
  id: `envelope.${id}`,
  sentence,
  try: async (run) => {
    const timestamp = Date.now() + offsetMs;
    const answer = await ask(run, { timestamp });
    if (!isAccepted(answer)) demandDistance(answer, timestamp, (ms) => ms < TIMESTAMP_WINDOW_MS);
    demandAccepted(answer);
    return met();
  },
});

/** Throws TooSlow unless a timestamp is that far from the service's time at its answer. */
function demandDistance(
  { dateMs = Date.now() }: ServiceAnswer,
  timestamp: unknown,
  isRight: (distanceMs: number) => boolean,
): void {
  const distances = [dateMs, dateMs + DATE_MS].map((ms) => Math.abs(ms - Number(timestamp)));
  if (distances.every(isRight)) return;
  throw new TooSlow('the timestamp was at another place of the window when the answer came');
}

/** The unit of the header `Date`. */
const DATE_MS = 1_000;

/** A check that a timestamp outside the window is refused. */
const outside = (id: string, sentence: string, offsetMs: number): ConformanceCheck => ({
  ...ABOUT,
  id: `envelope.${id}`,
  sentence,
  try: async (run) => {
    await acceptedRequest(run);
    const timestamp = Date.now() + offsetMs;
    const answer = await ask(run, { timestamp });
    if (isAccepted(answer)) demandDistance(answer, timestamp, (ms) => ms > TIMESTAMP_WINDOW_MS);
    return met(demandRefused(answer));
  },
});

/** A check that the service refuses an operation without its account. */
const withoutAccount = (
  operation: 'WEBHOOK_CREATE' | 'WEBHOOK_CHANGE' | 'WEBHOOK_LIST',
  means: ConformanceCheck['needs'],
  payloadOf: (requestId: string) => object | undefined,
): ConformanceCheck => ({
  id: `envelope.account.${operation}`,
  section: 'Endpoints',
  sentence: `${operation} is sent with account.`,
  needs: [operation, ...means],
  try: async (run) => {
    const send = (requestId: string, account?: null): Promise<ServiceAnswer> =>
      run.service.send(operation, { payload: payloadOf(requestId), account });
    if (operation !== 'WEBHOOK_CHANGE') {
      demandAccepted(await send(''));
      return met(demandRefused(await send('', null)));
    }
    return withSubscription(run, { notificationServiceTypes: ['SYSTEM'] }, async (requestId) => {
      demandAccepted(await send(requestId));
      return met(demandRefused(await send(requestId, null)));
    });
  },
});

export const envelopeChecks: readonly ConformanceCheck[] = [
  refusal('timestamp.required', 'timestamp is required.', () => ({
    timestamp: null,
  })),
  refusal('timestamp.integer', 'timestamp is an integer.', () => ({
    timestamp: 'now',
  })),
  refusal('timestamp.milliseconds', 'timestamp is in milliseconds.', () => ({
    extra: { timestamp: Math.floor(Date.now() / 1000) },
  })),
  outside(
    'timestamp.past',
    'timestamp is no more than 3 minutes in the past.',
    -TIMESTAMP_WINDOW_MS - CLEAR_MS,
  ),
  outside(
    'timestamp.future',
    'timestamp is no more than 3 minutes in the future.',
    TIMESTAMP_WINDOW_MS + CLEAR_MS,
  ),
  acceptance(
    'timestamp.past-within',
    'A timestamp less than 3 minutes in the past is accepted.',
    CLEAR_MS - TIMESTAMP_WINDOW_MS,
  ),
  acceptance(
    'timestamp.future-within',
    'A timestamp less than 3 minutes in the future is accepted.',
    TIMESTAMP_WINDOW_MS - CLEAR_MS,
  ),
  everyOperation({
    id: 'envelope.timestamp.every-operation',
    section: 'Limits',
    sentence: 'Timestamp window, every request: no operation that reads accepts a stale one.',
    wrong: () => ({ timestamp: Date.now() - TIMESTAMP_WINDOW_MS - CLEAR_MS }),
  }),
  {
    ...ABOUT,
    id: 'envelope.timestamp.mass-create',
    section: 'Limits',
    sentence: 'Timestamp window, every request: nothing is paid by a stale one.',
    needs: ['MASS_CREATE', 'payments'],
    try: async (run) => {
      await paidPayout(run);
      const stale = { timestamp: Date.now() - TIMESTAMP_WINDOW_MS - CLEAR_MS };
      return met(demandRefused(await sendPayout(run, payoutPayload(run), stale)));
    },
  },
  refusal('account.required', 'account is required for account-scoped operations.', () => ({
    account: null,
  })),
  refusal('account.string', 'account is a string.', () => ({ account: {} })),
  refusal('account.pattern', 'account has the pattern ^0x[0-9a-fA-F]{40}$.', () => ({
    account: '0x123',
  })),
  refusal('account.own', 'Operations act on one merchant account: one of the key.', () => ({
    account: `0x${'9'.repeat(40)}`,
  })),
  withoutAccount('WEBHOOK_CREATE', ['objects'], () => ({
    url: NOWHERE,
    notificationServiceTypes: ['SYSTEM'],
  })),
  withoutAccount('WEBHOOK_CHANGE', ['objects', 'WEBHOOK_CREATE'], (requestId) => ({
    requestId,
    url: NOWHERE,
    notificationServiceTypes: ['SYSTEM'],
  })),
  withoutAccount('WEBHOOK_LIST', [], () => undefined),
  {
    ...ABOUT,
    id: 'envelope.account.form',
    sentence: 'Which form of account identifiers is accepted, hexadecimal or UUID: not shown.',
    try: async (run) => {
      demandAccepted(await ask(run, {}));
      return notShown(run.account.startsWith('0x') ? 'hexadecimal' : 'another form');
    },
  },
  {
    ...ABOUT,
    id: 'envelope.payload.required',
    sentence: 'payload is required where the operation has business parameters.',
    needs: ['FEE_CALCULATION'],
    try: async ({ service }) => met(demandRefused(await service.send('FEE_CALCULATION'))),
  },
  {
    ...ABOUT,
    id: 'envelope.payload.absent',
    sentence: 'Operations with no business parameters send only timestamp and account.',
    try: async (run) => {
      demandAccepted(await ask(run, {}));
      return met();
    },
  },
  {
    ...ABOUT,
    id: 'envelope.fields.unknown',
    sentence: 'Unknown request fields can be rejected.',
    try: async (run) => {
      const answer = await ask(run, { extra: { undocumented: true } });
      if (isAccepted(answer)) return met('accepted');
      demandRefused(answer);
      demand(
        typeof fieldOf(answer.json, 'errorCode') === 'string',
        'that it is accepted, or refused with the error body',
        showAnswer(answer),
      );
      return met(`refused: ${showAnswer(answer)}`);
    },
  },
];

import type { ServiceRequest } from '../body.ts';
import { randomUUID } from 'node:crypto';
import { TIMESTAMP_WINDOW_MS } from '@bursar/merchant-api/spec';
import { answerFields } from '../answer-fields.ts';
import { type ConformanceCheck, met, notShown } from '../check.ts';
import { demand, fieldOf, isAccepted, showAnswer } from '../expect.ts';
import * as kinds from '../kinds.ts';
import type { CheckRun } from '../run.ts';
import { type ServiceAnswer, unknownPath } from '../service.ts';

/** Requests that the service must refuse, each for another reason. `why` is for people. */
const WRONG: readonly Readonly<{ why: string; request(): ServiceRequest }>[] = [
  { why: 'no key', request: () => ({ headers: { Key: null } }) },
  {
    why: 'unknown key',
    request: () => ({ headers: { Key: 'no-such-key-at-all' } }),
  },
  { why: 'wrong signature', request: () => ({ secret: 'another secret' }) },
  { why: 'no JSON', request: () => ({ body: '{' }) },
  {
    why: 'stale timestamp',
    request: () => ({ timestamp: Date.now() - 2 * TIMESTAMP_WINDOW_MS }),
  },
  { why: 'missing field', request: () => ({ timestamp: null }) },
  { why: 'wrong account', request: () => ({ account: `0x${'9'.repeat(40)}` }) },
];

/** The answers to them, and to a request for an object that does not exist. */
const refusals = (
  run: CheckRun,
): Promise<readonly Readonly<{ why: string; answer: ServiceAnswer }>[]> =>
  run.once('refusals', async () => {
    const { service } = run;
    const found = [];
    for (const { why, request } of WRONG) {
      found.push({ why, answer: await service.send('ACCOUNT', request()) });
    }
    if (service.has('LOOKUP')) {
      const answer = await service.send('LOOKUP', {
        payload: { id: randomUUID() },
      });
      found.push({ why: 'unknown object', answer });
    }
    return found.filter(({ answer }) => !isAccepted(answer));
  });

const told = async (run: CheckRun, tell: (answer: ServiceAnswer) => unknown): Promise<string> =>
  (await refusals(run)).map(({ why, answer }) => `${why} ${String(tell(answer))}`).join(', ');

const ABOUT = { section: 'Errors', needs: ['ACCOUNT'] } as const;

export const errorChecks: readonly ConformanceCheck[] = [
  ...answerFields({
    ...ABOUT,
    id: 'errors.body',
    record: 'An error response',
    read: async (run) => (await refusals(run)).map(({ answer }) => answer.json),
    fields: { traceId: kinds.text, errorCode: kinds.text, message: kinds.text },
  }),
  {
    ...ABOUT,
    id: 'errors.body.unknown-path',
    sentence:
      'An error response carries traceId, errorCode and message: at a path that is not served, too.',
    try: async ({ service }) => {
      const answer = await service.send('ACCOUNT', { path: unknownPath() });
      const isWhole = ['traceId', 'errorCode', 'message'].every(
        (name) => typeof fieldOf(answer.json, name) === 'string',
      );
      demand(isWhole, 'traceId, errorCode and message', showAnswer(answer));
      return met(showAnswer(answer));
    },
  },
  {
    ...ABOUT,
    id: 'errors.codes',
    sentence: 'Values of errorCode: not shown.',
    try: async (run) => notShown(await told(run, ({ json }) => fieldOf(json, 'errorCode'))),
  },
  {
    ...ABOUT,
    id: 'errors.statuses',
    sentence: 'HTTP status codes of error responses: not shown.',
    try: async (run) => notShown(await told(run, ({ status }) => status)),
  },
];

import { bodyOf, type ServiceRequest } from '../body.ts';
import { type ConformanceCheck, met, notShown } from '../check.ts';
import { demandAccepted, demandRefused, isAccepted, showAnswer } from '../expect.ts';
import { acceptedRequest } from '../scenarios/account.ts';
import { payoutPayload, sendPayout } from '../scenarios/creates.ts';
import { paidPayout } from '../scenarios/payouts.ts';

import { everyOperation } from './every-operation.ts';

const ABOUT = { section: 'Authentication', needs: ['ACCOUNT'] } as const;

/** A check that the service refuses a request with one mistake. */
const refusal = (
  id: string,
  sentence: string,
  request: () => ServiceRequest,
): ConformanceCheck => ({
  ...ABOUT,
  id: `auth.${id}`,
  sentence,
  try: async (run) => {
    await acceptedRequest(run);
    return met(demandRefused(await run.service.send('ACCOUNT', request())));
  },
});

/** A check that the service accepts a valid body whose bytes are written in another way. */
const signedBytes = (
  id: string,
  sentence: string,
  rewrite: (body: string) => string,
): ConformanceCheck => ({
  ...ABOUT,
  id: `auth.${id}`,
  sentence,
  try: async (run) => {
    const body = rewrite(bodyOf(run, 'ACCOUNT', {}));
    demandAccepted(await run.service.send('ACCOUNT', { body }));
    return met();
  },
});

export const authenticationChecks: readonly ConformanceCheck[] = [
  refusal('key.required', 'Key is required on every request.', () => ({
    headers: { Key: null },
  })),
  refusal('key.known', 'Key is a public API key of the service.', () => ({
    headers: { Key: 'no-such-key-at-all' },
  })),
  refusal('sign.required', 'Sign is required on every request.', () => ({
    headers: { Sign: null },
  })),
  refusal('sign.of-this-body', 'The body sent is byte-identical to the body signed.', () => ({
    signed: '{}',
  })),
  refusal('sign.by-this-secret', 'The secret key is the key of the HMAC.', () => ({
    secret: 'another secret',
  })),
  refusal('sign.value', 'Sign is the signature of the body.', () => ({
    headers: { Sign: '0'.repeat(128) },
  })),
  signedBytes(
    'sign.exact-bytes',
    'Sign is the lowercase hexadecimal HMAC-SHA512 of the exact body, blanks and order included.',
    (body) => {
      const { timestamp, account } = JSON.parse(body);
      return JSON.stringify({ account, timestamp }, undefined, 2);
    },
  ),
  signedBytes(
    'sign.escapes',
    'The body is signed as the exact string that is sent, escapes included.',
    (body) => body.replace('"account"', '"\\u0061ccount"'),
  ),
  everyOperation({
    id: 'auth.sign.every-operation',
    section: ABOUT.section,
    sentence: 'Required headers on every request: no operation that reads accepts a wrong Sign.',
    wrong: () => ({ secret: 'another secret' }),
  }),
  {
    ...ABOUT,
    id: 'auth.sign.mass-create',
    sentence: 'Required headers on every request: nothing is paid with a wrong Sign.',
    needs: ['MASS_CREATE', 'payments'],
    try: async (run) => {
      await paidPayout(run);
      return met(demandRefused(await sendPayout(run, payoutPayload(run), { secret: 'another' })));
    },
  },
  {
    ...ABOUT,
    id: 'auth.sign.upper-case',
    sentence: 'The digest is encoded as lowercase hexadecimal. (What upper case meets: not shown.)',
    try: async ({ service }) => {
      const answer = await service.send('ACCOUNT', { isSignUpperCase: true });
      return notShown(isAccepted(answer) ? 'accepted' : `refused: ${showAnswer(answer)}`);
    },
  },
  refusal('content-type', 'Content-Type application/json is required.', () => ({
    headers: { 'Content-Type': 'text/plain' },
  })),
  refusal('body.json', 'The body must be valid JSON.', () => ({
    body: '{"timestamp":',
  })),
];

import { TIMESTAMP_WINDOW_MS } from '../../src/spec/limits.ts';
import { all, broken, type Check, met } from '../check.ts';
import type { Request, Service } from '../service.ts';
import { isError, succeeded } from '../shape.ts';

const ask = async (service: Service, request: Request) => service.send('ACCOUNT', request);

const REFUSED = { section: 'Authentication', needs: ['ACCOUNT'], leaves: 'nothing' } as const;

/** A request that is wrong in one way, which must be refused with the documented error body. */
const refusal = (id: string, sentence: string, request: () => Request): Check => ({
  ...REFUSED,
  id,
  sentence,
  try: async (service) => isError(await ask(service, request())),
});

/** How far inside or outside the window a timestamp is tried; more than two clocks may differ. */
const CLEAR_MS = 20_000;

export const authenticationChecks: readonly Check[] = [
  {
    ...REFUSED,
    id: 'signature-right',
    sentence: 'The signature is the lowercase hexadecimal HMAC-SHA512 of the exact request body.',
    try: async (service, { account }) => {
      // Blanks and the order of fields belong to the bytes that are signed.
      const spaced = JSON.stringify({ account, timestamp: Date.now() }, undefined, 2);
      return all(
        async () => succeeded(await ask(service, {})),
        async () => succeeded(await ask(service, { body: spaced })),
      );
    },
  },
  refusal('key-missing', 'Key is required on every request.', () => ({ headers: { Key: null } })),
  refusal('key-unknown', 'Key is the public API key.', () => ({
    headers: { Key: 'no-such-key-at-all' },
  })),
  refusal('sign-missing', 'Sign is required on every request.', () => ({
    headers: { Sign: null },
  })),
  refusal(
    'sign-of-other-bytes',
    'The body sent must be byte-identical to the body signed.',
    () => ({
      signed: '{}',
    }),
  ),
  refusal('sign-wrong', 'Sign is the signature of the body.', () => ({
    headers: { Sign: '0'.repeat(128) },
  })),
  refusal('content-type', 'Content-Type is application/json.', () => ({
    headers: { 'Content-Type': 'text/plain' },
  })),
  refusal('body-not-json', 'The body must be valid JSON.', () => ({ body: '{"timestamp":' })),
  refusal('timestamp-missing', 'The body must contain timestamp.', () => ({ timestamp: null })),
  refusal('timestamp-not-integer', 'timestamp is an integer.', () => ({ timestamp: 'now' })),
  refusal('timestamp-past', 'timestamp is no more than 3 minutes in the past.', () => ({
    timestamp: Date.now() - TIMESTAMP_WINDOW_MS - CLEAR_MS,
  })),
  refusal('timestamp-future', 'timestamp is no more than 3 minutes in the future.', () => ({
    timestamp: Date.now() + TIMESTAMP_WINDOW_MS + CLEAR_MS,
  })),
  {
    ...REFUSED,
    id: 'timestamp-within',
    sentence: 'A timestamp within 3 minutes, in either direction, is accepted.',
    try: async (service) => {
      const earlier = Date.now() - TIMESTAMP_WINDOW_MS + CLEAR_MS;
      const later = Date.now() + TIMESTAMP_WINDOW_MS - CLEAR_MS;
      return all(
        async () => succeeded(await ask(service, { timestamp: earlier })),
        async () => succeeded(await ask(service, { timestamp: later })),
      );
    },
  },
  refusal('account-missing', 'account is required for account-scoped operations.', () => ({
    account: null,
  })),
  refusal('account-malformed', 'account has the pattern ^0x[0-9a-fA-F]{40}$.', () => ({
    account: '0x123',
  })),
  refusal('account-of-others', 'An operation acts on an account of its key.', () => ({
    account: `0x${'9'.repeat(40)}`,
  })),
  {
    ...REFUSED,
    id: 'field-unknown',
    section: 'Errors',
    sentence: 'A request containing undocumented fields can be rejected by validation.',
    try: async (service) => {
      const answer = await ask(service, { extra: { undocumented: true } });
      if (answer.status < 300) return met('accepted');
      const verdict = isError(answer);
      return verdict.kind === 'met' ? met('refused') : broken('refused in another form');
    },
  },
];

import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import type { SomeModes } from '../../packages/sandbox/src/core/modes.ts';
import { type PlayedChunk, type PlayedStack, startPlayedStack } from '../support/played-stack.ts';
import { reportLines } from '../support/row-outcomes.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

jest.setTimeout(600_000);

/** The answer to the second create is lost, and one of its rows fails. */
const CHUNKS: readonly PlayedChunk[] = [
  { fates: ['0000', '0000'] },
  { fates: ['0000', '0001'], fault: { kind: 'accept-then-drop' } },
];
const OUTCOMES = ['PAID', 'PAID', 'PAID', 'FAILED'];

let played: PlayedStack;

beforeAll(async () => {
  played = await startPlayedStack(sharedFolder());
});
afterEach(() => played.control.play({}));
afterAll(() => played.stop());

it.each<[string, SomeModes]>([
  ['takes nothing but ids in MASS_GET', { massGetAccepts: 'id-only' }],
  ['takes nothing but keys in MASS_GET', { massGetAccepts: 'key-only' }],
  ['takes no payload in MASS_GET', { massGetAccepts: 'flat' }],
  ['finds keys a little later', { lookupLagMs: 300 }],
  ['writes exponents and undocumented fields', { numbers: 'exponent', extraFields: 'some' }],
  ['refuses with the status 200', { errorStatus: 'all-200' }],
  ['refuses everything in one way', { errorStatus: 'all-400', errorCode: 'one-for-all' }],
  ['can do without a key', { createRequires: 'key-not' }],
  ['sends webhooks that name nothing', { webhookBody: 'opaque' }],
])('a service that %s pays the batch, and every row has an outcome', async (_what, modes) => {
  await played.control.play(modes);
  const run = await played.run({ chunks: CHUNKS });
  expect([run.code, run.view.needsOperator]).toEqual([10, []]);
  expect(await run.outcomes()).toEqual(OUTCOMES);
});

it.each(['sent', 'left-out'] as const)(
  'a service that takes three requests a second, Retry-After %s, pays the batch',
  async (retryAfter) => {
    const refusedBefore = await played.refusalsWith(429);
    await played.control.play({ requestsPerSecond: 3, retryAfter });
    // A withdrawal that no look has shown for as long as one slow poll takes is unknown for good, and looks are refused here.
    const env = { BURSAR_POLL_MAX_MS: '20000' };
    const run = await played.run({ chunks: CHUNKS, env, flags: ['--no-preflight'] });
    expect(await played.refusalsWith(429)).toBeGreaterThan(refusedBefore);
    expect([run.code, run.view.needsOperator]).toEqual([10, []]);
    expect(await run.outcomes()).toEqual(OUTCOMES);
  },
);

it.each<[string, SomeModes]>([
  ['flat', { webhookBody: 'flat' }],
  ['not signed', { webhookSignature: 'none' }],
])('webhooks that are %s are enough, when the next poll is far away', async (_what, modes) => {
  await played.control.play(modes);
  const env = { BURSAR_POLL_MIN_MS: '300000', BURSAR_POLL_MAX_MS: '300000' };
  const run = await played.run({ chunks: CHUNKS, env });
  expect(run.code).toBe(10);
  expect(await run.outcomes()).toEqual(OUTCOMES);
});

it.each<[string, SomeModes, string]>([
  ['more fields than are sent', { createRequires: 'all' }, 'FIELD_INVALID'],
  ['smaller mass payouts', { withdrawalsMax: 1 }, 'TOO_MANY_ROWS'],
])(
  'a service that demands %s gets one request: nothing is paid, and the report has the reason',
  async (_what, modes, code) => {
    await played.control.play(modes);
    const run = await played.run({ chunks: CHUNKS.slice(0, 1).concat(CHUNKS[0] ?? []) });
    expect(run.code).toBe(11);
    expect(await run.outcomes()).toEqual(['FAILED', 'FAILED', 'NOT_SENT', 'NOT_SENT']);
    expect(reportLines(run.dir)[0]?.reason).toContain(code);
  },
);

it('a service that ignores keys, and finds nothing by them though it once did, never gets an ambiguous create again', async () => {
  await played.run({ chunks: CHUNKS });
  const inDoubt = async (lookup: string): Promise<void> => {
    const modes = `idempotency=ignores-key, lookupByKey=${lookup}`;
    const run = await played.run({ chunks: CHUNKS, modes });
    expect(run.code).toBe(14);
    expect(run.view.needsOperator).toMatchObject([{ chunk: 1, reason: 'LOOKUP_UNPROVEN' }]);
    expect(await played.createsOf(run.batchId, 1)).toBe(1);

    const massPayout = await played.control.massPayoutOf(run.batchId, 1);
    expect((await run.resolve(1, 'adopt', massPayout?.id ?? '')).code).toBe(0);
    expect((await run.watch()).code).toBe(10);
    expect(await run.outcomes()).toEqual(OUTCOMES);
  };
  await Promise.all([inDoubt('absent'), inDoubt('refused')]);
});

it('a service that names accounts by UUIDs pays the batch', async () => {
  const uuids = await startPlayedStack(sharedFolder(), {
    BURSAR_API_ACCOUNT: '00000000-0000-0000-0000-000000000001',
    BURSAR_SANDBOX_ACCOUNT_ID: 'uuid',
  });
  try {
    const run = await uuids.run({ chunks: CHUNKS });
    expect(run.code).toBe(10);
    expect(await run.outcomes()).toEqual(OUTCOMES);
  } finally {
    await uuids.stop();
  }
});

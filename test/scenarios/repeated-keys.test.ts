import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { inParallel } from '../../src/activities/shared/in-parallel.ts';
import { MODE_VALUES } from '../../packages/sandbox/src/core/modes.ts';
import { ledgerWithdrawals } from '../support/oracle.ts';
import { type PlayedRun, type PlayedStack, startPlayedStack } from '../support/played-stack.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

jest.setTimeout(600_000);

const fates = ['0000', '0000'] as const;
const CHUNKS = [{ fates }, { fates, fault: { kind: 'accept-then-drop' } }];

/** Who sets `api.resend` to `fenced` relies on the service to know its keys; a service that ignores them is not for that. */
type Mode = Exclude<(typeof MODE_VALUES.idempotency)[number], 'ignores-key'>;
const MODES = MODE_VALUES.idempotency.filter((mode): mode is Mode => mode !== 'ignores-key');

/** What the batch asks of an operator, where the repeated key does not lead to the mass payout. */
const QUESTIONS: Readonly<Partial<Record<Mode, string>>> = {
  'reject-400': 'REJECTED_AFTER_DOUBT',
  'reject-409': 'ATTEMPTS_USED_UP',
  'raw-bytes-fingerprint': 'ATTEMPTS_USED_UP',
};

/** What a repeated key meets; null, where it is not named: the mass payout that it made before. */
const ANSWERS: Readonly<Partial<Record<Mode, string>>> = {
  'reject-400': 'IDEMPOTENCY_KEY_EXISTS',
  'reject-409': 'IDEMPOTENCY_KEY_USED',
  'raw-bytes-fingerprint': 'IDEMPOTENCY_KEY_CONFLICT',
};

let played: PlayedStack;
const runs = new Map<Mode, PlayedRun>();

beforeAll(async () => {
  played = await startPlayedStack(sharedFolder(), { BURSAR_API_RESEND: 'fenced' });
  await inParallel(MODES.length, MODES, async (mode) => {
    const modes = `idempotency=${mode}, lookupByKey=absent`;
    runs.set(mode, await played.run({ chunks: CHUNKS, modes }));
  });
});
afterAll(() => played.stop());

it.each(MODES)(
  '%s: an accepted create that is sent again, because no lookup finds it, pays no row twice',
  async (mode) => {
    const run = runs.get(mode);
    if (run === undefined) throw new Error('no batch ran');
    const question = QUESTIONS[mode];
    expect(run.view.needsOperator.map(({ reason }) => reason)).toEqual(question ? [question] : []);
    if (question !== undefined) {
      const massPayout = await played.control.massPayoutOf(run.batchId, 1);
      expect((await run.resolve(1, 'adopt', massPayout?.id ?? '')).code).toBe(0);
      expect((await run.watch()).code).toBe(0);
    }
    expect(await run.outcomes()).toEqual(['PAID', 'PAID', 'PAID', 'PAID']);
    const [first, ...others] = await played.answersToCreates(run.keys[1]);
    expect([first, others.length > 0]).toEqual([null, true]);
    expect(new Set(others)).toEqual(new Set([ANSWERS[mode] ?? null]));
  },
);

it('in-flight-409, while the mass payout is still being made: an operator answers, and no row is paid twice', async () => {
  const slow = await startPlayedStack(sharedFolder(), {
    BURSAR_API_RESEND: 'fenced',
    // Longer than this test takes on any machine: nothing is ever made to its end.
    BURSAR_SANDBOX_STEP_MS: '3600000',
  });
  try {
    const modes = 'idempotency=in-flight-409, lookupByKey=absent';
    const { code, view, keys } = await slow.run({ chunks: CHUNKS, modes });
    expect([code, view.needsOperator]).toMatchObject([
      14,
      [{ chunk: 1, reason: 'ATTEMPTS_USED_UP' }],
    ]);
    const [first, ...others] = await slow.answersToCreates(keys[1]);
    expect([first, new Set(others)]).toEqual([null, new Set(['IDEMPOTENCY_KEY_IN_FLIGHT'])]);
    expect(await ledgerWithdrawals(slow.stack.sandboxUrl)).toHaveLength(4);
  } finally {
    await slow.stop();
  }
});

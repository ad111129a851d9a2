import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { inParallel } from '../../src/activities/in-parallel.ts';
import { MODE_VALUES } from '../../src/sandbox/core/modes.ts';
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
  '%s: a create that was accepted and is sent again, because no lookup finds it, pays nobody twice',
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
    expect(await played.createsOf(run.batchId, 1)).toBeGreaterThan(1);
  },
);

import type { TestAddressCode } from '../../packages/sandbox/src/test-addresses.ts';
import { eventually } from './eventually.ts';
import type { PlayedStack } from './played-stack.ts';

/** Waits for a person at the service; no poll and no webhook ends it. */
const WAITS: TestAddressCode = '0007';

/** Runs a batch of two rows until its mass payout waits for a person at the service, and the batch has seen that. */
export async function runUntilWaiting(played: PlayedStack) {
  const { control, stack } = played;
  let key = '';
  const paid = played.run({
    chunks: [{ fates: ['0000', WAITS] }],
    before: ([of = '']) => {
      key = of;
    },
  });
  const { id, externalId } = await eventually('its mass payout waits for a person', async () => {
    const found = await control.massPayoutUnder(key);
    return found?.state === 'WAITING_COMPLETION_ERRORS' ? found : undefined;
  });
  const batchId = externalId?.split('/')[0] ?? '';
  const status = async () => (await stack.json('status', batchId)).value;
  await eventually('the batch has seen it', async () => {
    const { byState } = (await status())['chunks'] as { byState: Record<string, number> };
    return byState['WAITING_COMPLETION_ERRORS'];
  });
  return { paid, massPayoutId: id, status };
}

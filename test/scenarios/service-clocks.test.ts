import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { inParallel } from '../../src/activities/shared/in-parallel.ts';
import {
  type PlayedChunk,
  type PlayedRun,
  type PlayedStack,
  startPlayedStack,
} from '../support/played-stack.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

jest.setTimeout(600_000);

/** The service takes a timestamp for 6 s. The margin is the shortest that the settings allow. */
const WINDOW_MS = 6_000;
const MARGIN_MS = 2_000;
const SETTINGS = {
  BURSAR_API_TIMESTAMP_WINDOW_MS: String(WINDOW_MS),
  BURSAR_SANDBOX_TIMESTAMP_WINDOW_MS: String(WINDOW_MS),
  BURSAR_API_FENCE_MARGIN_MS: String(MARGIN_MS),
};

const fates = ['0000', '0000'] as const;
/** Late, but within the rules: the service accepts the create when its timestamp is 4 s old. */
const LATE = 1;
const LOST = 3;
const CHUNKS: readonly PlayedChunk[] = [
  { fates },
  { fates, fault: { kind: 'drop-then-accept', delayMs: 4_000, timestampAt: 'acceptance' } },
  { fates, fault: { kind: 'accept-then-drop' } },
  { fates, fault: { kind: 'drop-before' } },
];

const AHEAD_MS = 40_000;

/** Gives these values in turn. */
function inTurn<Value>(values: readonly Value[]): () => Value {
  let next = 0;
  return () => {
    next += 1;
    return values[(next - 1) % values.length] as Value;
  };
}

/** What the answers of the service show as their `Date`, beside the time. */
const DATES: Readonly<Record<string, () => number | null>> = {
  'a node that is 40 s ahead': () => AHEAD_MS,
  'nodes of which every second one is 40 s ahead': inTurn([AHEAD_MS, 0]),
  'Dates that jump by 40 s to and fro': inTurn([AHEAD_MS, 0, -AHEAD_MS, AHEAD_MS]),
  'Dates that only some answers have': inTurn([null, AHEAD_MS, 0, null, AHEAD_MS]),
};

let played: PlayedStack;
const runs = new Map<string, PlayedRun>();

beforeAll(async () => {
  played = await startPlayedStack(sharedFolder(), SETTINGS);
  await inParallel(Object.keys(DATES).length, Object.entries(DATES), async ([name, date]) => {
    runs.set(name, await played.run({ chunks: CHUNKS, modes: 'idempotency=ignores-key', date }));
  });
});
afterAll(() => played.stop());

it.each(Object.keys(DATES))(
  'with %s, no create leaves while the first may still be accepted, and every row is paid once',
  async (name) => {
    const run = runs.get(name) as PlayedRun;
    expect([run.code, run.view.needsOperator]).toEqual([0, []]);
    expect(new Set(await run.outcomes())).toEqual(new Set(['PAID']));
    expect(await played.createsOf(run.batchId, LATE)).toBe(1);
    expect(await played.createsOf(run.batchId, LOST)).toBe(2);
  },
);

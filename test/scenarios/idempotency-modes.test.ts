import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { inParallel } from '../../src/activities/shared/in-parallel.ts';
import { MODE_VALUES } from '../../packages/sandbox/src/core/modes.ts';
import {
  type PlayedChunk,
  type PlayedRun,
  type PlayedStack,
  startPlayedStack,
} from '../support/played-stack.ts';
import { reportLines } from '../support/row-outcomes.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

jest.setTimeout(600_000);

const fates = ['0000', '0000'] as const;

/** What goes wrong with the create of each chunk; with the first one, nothing does. */
const CHUNKS: readonly PlayedChunk[] = [
  { fates },
  { fates, fault: { kind: 'accept-then-drop' } },
  { fates, fault: { kind: 'drop-before' } },
  { fates, fault: { kind: 'drop-then-accept', delayMs: 500, timestampAt: 'acceptance' } },
  { fates, fault: { kind: 'status-500-after' } },
  { fates, fault: { kind: 'status-500' } },
];
const FAULTS = 5;
/** The chunk whose first create is answered with 500, and not done. */
const ANSWERED_500 = 5;

const MODES = MODE_VALUES.idempotency;
type Mode = (typeof MODES)[number];

/** A key that is forgotten is forgotten at once: nothing but lookups then tells what there is. */
const modesOf = (mode: Mode): string =>
  mode === 'key-ttl' ? 'idempotency=key-ttl, keyTtlMs=1' : `idempotency=${mode}`;

/** Batches spend their time waiting, but each begins with a command of its own. */
const BATCHES_IN_PARALLEL = 5;

let played: PlayedStack;
const runs = new Map<Mode, PlayedRun>();

beforeAll(async () => {
  played = await startPlayedStack(sharedFolder());
  await inParallel(BATCHES_IN_PARALLEL, MODES, async (mode) => {
    runs.set(mode, await played.run({ chunks: CHUNKS, modes: modesOf(mode) }));
  });
});
afterAll(() => played.stop());

const runOf = (mode: Mode): PlayedRun => {
  const run = runs.get(mode);
  if (run === undefined) throw new Error(`no batch ran with ${mode}`);
  return run;
};

it('every fault came, in every mode', async () => {
  expect(await played.control.fired()).toBe(MODES.length * FAULTS);
});

it.each(MODES.filter((mode) => mode !== 'poisoned-after-500'))(
  '%s: after any fate of the answer to a create, every row is paid once',
  async (mode) => {
    const run = runOf(mode);
    expect(run.code).toBe(0);
    expect(new Set(await run.outcomes())).toEqual(new Set(['PAID']));
  },
);

it('poisoned-after-500: a key that cannot be used again is for a person, and its rows may stay UNKNOWN', async () => {
  const run = runOf('poisoned-after-500');
  expect(run.code).toBe(14);
  expect(await played.answersToCreates(run.keys[ANSWERED_500])).toEqual([
    null,
    'IDEMPOTENCY_KEY_POISONED',
  ]);
  const [asked, ...others] = run.view.needsOperator;
  expect(asked).toMatchObject({ chunk: ANSWERED_500, reason: 'REJECTED_AFTER_DOUBT' });
  expect(others).toEqual([]);
  expect((await run.resolve(ANSWERED_500, 'abandon')).code).toBe(0);
  expect((await run.watch()).code).toBe(10);
  const outcomes = await run.outcomes();
  expect(outcomes.slice(0, -2)).toEqual(Array.from({ length: 10 }, () => 'PAID'));
  expect(outcomes.slice(-2)).toEqual(['UNKNOWN', 'UNKNOWN']);
  const dossier = reportLines(run.dir, 'investigate.csv');
  expect(dossier.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
    asked?.idempotencyKey,
    asked?.idempotencyKey,
  ]);
  expect(existsSync(join(run.dir, 'resend.csv'))).toBe(false);
});

import { describe, expect, it } from '@jest/globals';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { OverDayLimit, Short } from '../../src/contract/activities.ts';
import type { Hold } from '../../src/domain/holds/hold.ts';
import type { BatchResult } from '../../src/contract/batch.ts';
import { noteOf } from '../../src/domain/errors/bursar-error.ts';
import { holdsInMemory, playBatch } from './support/played-batch.ts';

Runtime.install({ logger: new DefaultLogger('ERROR') });

const dayIn = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const EXCESS = {
  day: dayIn(1),
  currency: 'TRX',
  limit: '4',
  granted: '0',
  total: '5',
} as const;
const OVER: OverDayLimit = {
  kind: 'over-day-limit',
  error: noteOf('DAY_LIMIT_PASSED', EXCESS),
  excesses: [EXCESS],
};
const SHORT: Short = {
  kind: 'short',
  error: noteOf('FUNDS_TOO_LOW', {
    currency: 'TRX',
    needed: '5',
    available: '0',
    reserved: '0',
    short: '5',
    holders: '',
    also: '',
  }),
  short: [{ currency: 'TRX', amount: '5' }],
};
const ENOUGH = { kind: 'enough' } as const;

/** Answers each question about funds with the next of these, and the last one from then on. */
function answering(answers: readonly (OverDayLimit | Short | typeof ENOUGH)[]) {
  let asked = 0;
  const checkFunds = async () => {
    asked += 1;
    return answers[Math.min(asked, answers.length) - 1] ?? ENOUGH;
  };
  return { checkFunds, hasAsked: () => asked > 0 };
}

const ACT = { by: 'ann', reason: 'it is fine' };

describe('the way to the money leads through every wait, in any order', () => {
  it.each([
    ['a top-up, then the limit of the day', [SHORT, OVER, ENOUGH]],
    ['the limit of the day, then a top-up', [OVER, SHORT, ENOUGH]],
    ['a top-up, the limit of the day, and a top-up', [SHORT, OVER, SHORT, ENOUGH]],
  ])('%s', (_what, answers) =>
    playBatch(answering(answers), async ({ until, ask, handle }) => {
      await until('it is held', ({ holds }) => holds[0]?.kind === 'DAY_LIMIT');
      expect(await ask('resume', ACT)).toBeNull();
      expect(await handle.result()).toMatchObject({ state: 'COMPLETED' });
    }),
  );
});

it('a batch that waits for funds shows the missing amount, and shows it no more when it goes on', () => {
  const funds = answering([SHORT, OVER]);
  let noteSeen = (): void => undefined;
  const seen = new Promise<void>((resolve) => {
    noteSeen = resolve;
  });
  const checkFunds = async () => {
    if (funds.hasAsked()) await seen;
    return funds.checkFunds();
  };
  return playBatch({ checkFunds }, async ({ until }) => {
    const { short } = await until('it waits', ({ state }) => state === 'AWAITING_FUNDS');
    expect(short).toEqual(SHORT.short);
    noteSeen();
    const held = await until('it is held', ({ holds }) => holds.length > 0);
    expect(held).not.toHaveProperty('short');
  });
});

it.each([
  { fundsWaitMs: 100, says: 'It waited for a top-up until', hides: '--funds wait waits' },
  { fundsWaitMs: null, says: '--funds wait waits', hides: 'It waited' },
])('a batch that ends for lack of funds suggests no step that it has taken ($fundsWaitMs)', (one) =>
  playBatch(
    answering([SHORT]),
    async ({ handle }) => {
      const { state, error } = (await handle.result()) as BatchResult;
      expect([state, error?.code]).toEqual(['FAILED', 'FUNDS_TOO_LOW']);
      const text = [error?.what, error?.fix].join(' ');
      expect(text).toContain(one.says);
      expect(text).not.toContain(one.hides);
    },
    { fundsWaitMs: one.fundsWaitMs },
  ),
);

it('the limit of a day that is over by now delays no batch to the end of another day', () => {
  const over = { ...OVER, excesses: [{ ...EXCESS, day: dayIn(-2) }] };
  return playBatch(answering([over, ENOUGH]), async ({ handle }) => {
    expect(await handle.result()).toMatchObject({ state: 'COMPLETED' });
  });
});

describe('the hold of an earlier run of a batch', () => {
  const hold = (n: number, kind: Hold['kind']): Hold => ({
    n,
    kind,
    reason: `hold ${n}`,
    by: 'Bursar',
    since: new Date(n).toISOString(),
    facts: {},
  });
  /** A store in which these holds were left open by a run that was ended by force. */
  function leftOpen(...holds: Hold[]) {
    const released: number[] = [];
    return {
      released,
      readControls: async () => ({ holds, approvals: [], policy: null, canceled: null }),
      releaseHold: async ({ n }: { n: number }) => void released.push(n),
    };
  }

  it('waits for no person when the same rules let it pass now', async () => {
    const store = leftOpen(hold(1, 'FEE_DRIFT'), hold(2, 'DAY_LIMIT'));
    let checks = 0;
    const checkFees = async () => {
      checks += 1;
      return { kind: 'within', note: '' } as const;
    };
    await playBatch({ ...store, checkFees }, async ({ handle }) => {
      expect(await handle.result()).toMatchObject({ state: 'COMPLETED' });
    });
    // The quotes of the plan prove nothing of now.
    expect([checks, store.released]).toEqual([1, [1, 2]]);
  });

  it('is put on again while its rule still holds the batch', async () => {
    const drift = hold(1, 'FEE_DRIFT');
    const store = leftOpen(drift);
    const stopped = { kind: 'drift', reason: drift.reason, facts: {}, quotes: [] } as const;
    const world = {
      ...store,
      checkFees: async () => stopped,
      putHold: async () => drift,
      resumeBatch: async () => ({ kind: 'resumed', hold: drift }) as const,
    };
    await playBatch(world, async ({ until, ask, handle }) => {
      await until('it waits', ({ state }) => state === 'AWAITING_APPROVAL');
      expect(store.released).toEqual([]);
      expect(await ask('resume', ACT)).toBeNull();
      expect(await handle.result()).toMatchObject({ state: 'COMPLETED' });
    });
  });

  it('stays on where no rule of fees or days has put it on', async () => {
    const store = leftOpen(hold(1, 'PAUSE'), hold(2, 'STOP_LOSS'));
    await playBatch(store, async ({ until, ask, handle }) => {
      await until('it waits', ({ note }) => note === 'the account holds enough');
      expect(store.released).toEqual([]);
      expect(await ask('cancel', ACT)).toBeNull();
      await handle.result();
    });
  });
});

describe('the limit of a day', () => {
  it('holds the batch by the hold that the store has, and the funds are checked again', async () => {
    const holds = holdsInMemory();
    const asked: unknown[] = [];
    const checkFunds = async (input: unknown) => {
      asked.push(input);
      if (asked.length > 1) return ENOUGH;
      const words = { reason: 'as the store says', by: 'Bursar', facts: {} };
      return { ...OVER, hold: await holds.putHold({ kind: 'DAY_LIMIT', ...words }) };
    };
    const putHold = () => Promise.reject(new Error('the hold is on already'));
    await playBatch({ ...holds, putHold, checkFunds }, async ({ until, ask, handle }) => {
      const { note } = await until('it is held', (now) => now.holds[0]?.kind === 'DAY_LIMIT');
      expect(note).toBe('as the store says');
      expect(await ask('resume', ACT)).toBeNull();
      expect(await handle.result()).toMatchObject({ state: 'COMPLETED' });
      expect(asked).toHaveLength(2);
    });
  });
});

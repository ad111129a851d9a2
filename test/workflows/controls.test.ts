import type { SweepInput } from '../../src/contract/sweep.ts';
import { describe, expect, it } from '@jest/globals';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Controls, Resumed, ResumeInput } from '../../src/contract/activities.ts';
import type { SendChunkInput, SendStep } from '../../src/contract/sending.ts';
import type { Hold } from '../../src/domain/holds/hold.ts';
import type { NotifiableEvent } from '../../src/domain/notify/events.ts';
import type { ApprovalPolicy } from '../../src/domain/approval/policy.ts';
import { holdSubject } from '../../src/domain/approval/question.ts';
import type { Approval } from '../../src/domain/approval/statement.ts';
import { approvalBy, DAY_MS, isoOf, policyOf, tier } from '../support/approvers.ts';
import { DIGEST, holdsInMemory, playBatch } from './support/played-batch.ts';

Runtime.install({ logger: new DefaultLogger('ERROR') });

const ACT = { by: 'ann', reason: 'it is fine' };
const controls = (more: Partial<Controls> = {}): Controls => ({
  holds: [],
  approvals: [],
  policy: null,
  canceled: null,
  ...more,
});

/** A promise that the test keeps when it wants to. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = () => resolve();
  });
  return { opened, open: () => open() };
}

describe('a batch that goes on from the facts of the store', () => {
  it('stays canceled, and sends nothing', async () => {
    let sends = 0;
    const world = {
      readControls: async () => controls({ canceled: ACT }),
      sendChunk: async (): Promise<SendStep> => {
        sends += 1;
        return { kind: 'created' };
      },
    };
    await playBatch(world, async ({ handle }) => {
      expect(await handle.result()).toMatchObject({ state: 'CANCELED' });
    });
    expect(sends).toBe(0);
  });

  it('reads the store at a signal, for records from a time without a worker', async () => {
    let canceled: typeof ACT | null = null;
    const holds = holdsInMemory();
    const readControls = async () => controls({ holds: [...holds.open], canceled });
    const at = isoOf(Date.now() + DAY_MS);
    const use: Parameters<typeof playBatch>[1] = async ({ handle, until }) => {
      await until('it waits', ({ state }) => state === 'SCHEDULED');
      await holds.putHold({ kind: 'PAUSE', by: 'ann', reason: 'lunch', facts: {} });
      await handle.signal('controls');
      await until('it is paused', (status) => status.holds.length === 1);
      canceled = ACT;
      await handle.signal('controls');
      expect(await handle.result()).toMatchObject({ state: 'CANCELED' });
    };
    await playBatch({ ...holds, readControls }, use, { at });
  });

  it('stays paused by a pause that came in while the store was read', async () => {
    const holds = holdsInMemory();
    const [reading, done] = [gate(), gate()];
    const readControls = async () => {
      const read = controls({ holds: [...holds.open] });
      reading.open();
      await done.opened;
      return read;
    };
    await playBatch({ ...holds, readControls }, async ({ ask, until, handle }) => {
      await reading.opened;
      expect(await ask('pause', ACT)).toBeNull();
      done.open();
      const held = await until('it checks its funds', ({ state }) => state === 'CHECKING_FUNDS');
      expect(held.holds).toMatchObject([{ kind: 'PAUSE' }]);
      expect(await ask('resume', ACT)).toBeNull();
      expect(await handle.result()).toMatchObject({ state: 'COMPLETED' });
    });
  });
});

describe('a store that was brought back from an older copy', () => {
  /** A batch that waits for its fees until the test lets them be told. */
  function quoting() {
    const { opened, open } = gate();
    const quoteFees = async () => {
      await opened;
      return { kind: 'quoted', fees: null, stopped: null } as const;
    };
    return { quoteFees, goOn: open };
  }

  it('does not keep a batch for ever by a pause that it forgot', async () => {
    const holds = holdsInMemory();
    const { quoteFees, goOn } = quoting();
    await playBatch({ ...holds, quoteFees }, async ({ ask, until, handle }) => {
      expect(await ask('pause', ACT)).toBeNull();
      goOn();
      await until('it may go no further', ({ note }) => note === 'the account holds enough');
      holds.forget();
      expect(await ask('resume', ACT)).toBeNull();
      expect(await handle.result()).toMatchObject({ state: 'COMPLETED' });
    });
  });

  it('may number its holds again: a second one of the same number is shown too', async () => {
    const holds = holdsInMemory();
    const { quoteFees, goOn } = quoting();
    await playBatch({ ...holds, quoteFees }, async ({ ask, status, handle }) => {
      expect(await ask('pause', ACT)).toBeNull();
      expect(await ask('resume', ACT)).toBeNull();
      holds.forget();
      expect(await ask('pause', ACT)).toBeNull();
      expect((await status()).holds).toMatchObject([{ n: 1, kind: 'PAUSE' }]);
      expect(await ask('resume', ACT)).toBeNull();
      goOn();
      await handle.result();
    });
  });
});

describe('a resume that names its hold', () => {
  /** A batch that is paused and held by its fees, and quotes them only when the test says so. */
  const STOPPED = { kind: 'drift', reason: 'fees rose', facts: {}, quotes: [] } as const;
  const quoteFees = async () => ({ kind: 'quoted', fees: null, stopped: STOPPED }) as const;

  it('takes off that one and no other', async () => {
    const holds = holdsInMemory();
    await playBatch({ ...holds, quoteFees }, async ({ ask, until, status, handle }) => {
      await until('its fees hold it', (now) => now.holds.length === 1);
      expect(await ask('pause', ACT)).toBeNull();
      const [fees, pause] = (await status()).holds;
      const named = ({ n = 0, since = '' }: Partial<Hold> = {}) => ({ ...ACT, hold: { n, since } });
      expect(await ask('resume', named(fees))).toBeNull();
      expect((await status()).holds).toEqual([pause]);
      expect(await ask('resume', named(fees))).toBe('HOLD_NOT_OPEN');
      expect(await ask('resume', { ...ACT, hold: { n: 9 } })).toBe('HOLD_NOT_OPEN');
      expect((await status()).holds).toEqual([pause]);
      expect(await ask('resume', named(pause))).toBeNull();
      expect(await handle.result()).toMatchObject({ state: 'COMPLETED' });
    });
  });

  it('lifts a hold that the store forgot, and has that stored', async () => {
    const holds = holdsInMemory();
    const forgotten: unknown[] = [];
    const resumeBatch = async (input: ResumeInput): Promise<Resumed> => {
      forgotten.push(input.forgotten);
      return holds.resumeBatch(input);
    };
    await playBatch(
      { ...holds, quoteFees, resumeBatch },
      async ({ ask, until, status, handle }) => {
        await until('its fees hold it', (now) => now.holds.length === 1);
        holds.forget();
        const [fees] = (await status()).holds;
        expect(await ask('resume', { ...ACT, hold: { n: 9 } })).toBe('NOT_HELD');
        expect(await ask('resume', { ...ACT, hold: { n: fees?.n } })).toBeNull();
        expect(forgotten).toEqual([false, true]);
        expect(await handle.result()).toMatchObject({ state: 'COMPLETED' });
      },
    );
  });
});

const PEOPLE: ApprovalPolicy = policyOf({ expiresAfterMs: DAY_MS });
const ONE_OF_FINANCE: ApprovalPolicy = { ...PEOPLE, tiers: [tier(1, { roles: ['finance'] })] };

/** What somebody says of the plan, now. */
const saidBy = (batchId: string, name: string, more: Partial<Approval> = {}) =>
  approvalBy(name, {
    batchId,
    subject: DIGEST,
    issuedAt: isoOf(Date.now()),
    expiresAt: isoOf(Date.now() + DAY_MS - 1_000),
    ...more,
  });

it('a batch that was stopped while it pays is not paused, resumed or approved any more', async () => {
  const [sending, done] = [gate(), gate()];
  const world = {
    sendChunk: async (): Promise<SendStep> => {
      sending.open();
      await done.opened;
      return { kind: 'created' };
    },
    resumeBatch: async ({ stopped }: ResumeInput): Promise<Resumed> =>
      stopped === undefined || stopped === null
        ? { kind: 'not-held' }
        : { kind: 'stopped', stopped },
  };
  await playBatch(world, async ({ ask, handle }) => {
    await sending.opened;
    const answers = [await ask('resume', ACT), await ask('cancel', ACT)];
    answers.push(await ask('pause', ACT), await ask('resume', ACT));
    answers.push(await ask('approve', { approval: {} }), await ask('cancel', ACT));
    done.open();
    expect(await handle.result()).toMatchObject({ state: 'CANCELED' });
    const stopped = 'BATCH_STOPPED';
    expect(answers).toEqual(['NOT_HELD', null, stopped, stopped, stopped, null]);
  });
});

describe('an approval', () => {
  it('lets nothing go on before it is stored', async () => {
    const [asked, done] = [gate(), gate()];
    const releases: string[] = [];
    const world = {
      readControls: async () => controls({ policy: PEOPLE }),
      recordApproval: async (input: unknown) => {
        const { approval } = input as { approval: Approval };
        if (approval.person === 'bob') {
          asked.open();
          await done.opened;
          return { kind: 'refused', error: { code: 'X', what: '', why: '', fix: '' } };
        }
        return { kind: 'recorded' };
      },
      releaseBatch: async () => {
        releases.push('released');
        return { kind: 'released' as const };
      },
    };
    await playBatch(world, async ({ batchId, ask, until, handle }) => {
      await until('it waits', ({ state }) => state === 'AWAITING_APPROVAL');
      const bob = ask('approve', { approval: saidBy(batchId, 'bob') });
      await asked.opened;
      expect(await ask('approve', { approval: saidBy(batchId, 'carol') })).toBeNull();
      expect(await ask('approve', { approval: saidBy(batchId, 'bob') })).toBe('APPROVAL_REPEATED');
      done.open();
      expect(await bob).toBe('X');
      const { state, approval } = await until('it waits', (now) => now.approval !== null);
      expect([state, approval?.missing]).toEqual([
        'AWAITING_APPROVAL',
        ['1 more from finance: bob'],
      ]);
      expect(releases).toEqual([]);
      expect(await ask('cancel', ACT)).toBeNull();
      expect(await handle.result()).toMatchObject({ state: 'CANCELED' });
    });
  });

  it('that another program wrote to the store is reported, and keeps no person from approving', async () => {
    const written: Approval[] = [];
    const readControls = async ({ batchId }: { batchId: string }) => {
      written.push({ ...saidBy(batchId, 'carol'), reason: 'not what she signed' });
      return controls({ policy: ONE_OF_FINANCE, approvals: written });
    };
    await playBatch({ readControls }, async ({ batchId, ask, until, handle }) => {
      const { approval } = await until('it waits', ({ state }) => state === 'AWAITING_APPROVAL');
      expect(approval).toMatchObject({ given: [], notGenuine: [{ person: 'carol' }] });
      expect(await ask('approve', { approval: saidBy(batchId, 'carol') })).toBeNull();
      expect(await handle.result()).toMatchObject({ state: 'COMPLETED' });
    });
  });

  it('that the store forgot is demanded again', async () => {
    const stored: Approval[] = [];
    let forgets = true;
    const world = {
      readControls: async () => controls({ policy: PEOPLE, approvals: [...stored] }),
      recordApproval: async (input: unknown) => {
        stored.push((input as { approval: Approval }).approval);
        return { kind: 'recorded' };
      },
      releaseBatch: async () => {
        if (forgets) stored.length = 0;
        forgets = false;
        return stored.length === 2
          ? { kind: 'released' as const }
          : { kind: 'not-approved' as const, missing: 'bob, carol' };
      },
    };
    await playBatch(world, async ({ batchId, ask, until, handle }) => {
      await until('it waits', ({ approval }) => approval?.missing.length === 1);
      for (let turn = 0; turn < 2; turn += 1) {
        await until('both are missing', ({ state, approval }) => {
          const [missing] = approval?.missing ?? [];
          return state === 'AWAITING_APPROVAL' && missing === '2 more from finance: bob, carol';
        });
        for (const name of ['bob', 'carol']) {
          expect(await ask('approve', { approval: saidBy(batchId, name) })).toBeNull();
        }
      }
      expect(await handle.result()).toMatchObject({ state: 'COMPLETED' });
    });
  });
});

const hold = (n: number, kind: Hold['kind']): Hold => ({
  n,
  kind,
  reason: `hold ${n}`,
  by: 'Bursar',
  since: isoOf(n),
  facts: {},
});

it('the hold of a batch is shown with the command that lifts it', async () => {
  const told: NotifiableEvent[] = [];
  const stopped = { kind: 'drift', reason: 'fees rose', facts: {}, quotes: [] } as const;
  const world = {
    ...holdsInMemory(),
    readControls: async () => controls({ policy: ONE_OF_FINANCE }),
    quoteFees: async () => ({ kind: 'quoted', fees: null, stopped }) as const,
    tell: async (news: NotifiableEvent) => void told.push(news),
  };
  await playBatch(world, async ({ ask, until, handle }) => {
    await until('its fees hold it', (now) => now.holds.length === 1);
    expect(await ask('pause', ACT)).toBeNull();
    expect(await ask('cancel', ACT)).toBeNull();
    await handle.result();
  });
  const held = told.filter(({ event }) => event === 'batch.held');
  expect(held.map(({ data }) => [data['kind'], data['goesOnBy']])).toEqual([
    ['FEE_DRIFT', 'approve'],
    ['PAUSE', 'resume'],
  ]);
});

describe('an approval that lifts the hold of a rule', () => {
  it('that the store forgot is demanded again, and lets nothing go on', async () => {
    const stopped = hold(1, 'STOP_LOSS');
    const stored: Approval[] = [];
    let forgets = true;
    const subject = holdSubject(DIGEST, stopped);
    const world = {
      readControls: async () =>
        controls({ policy: ONE_OF_FINANCE, holds: [stopped], approvals: [...stored] }),
      recordApproval: async (input: unknown) => {
        stored.push((input as { approval: Approval }).approval);
        return { kind: 'recorded' };
      },
      releaseApprovedHold: async () => {
        if (!forgets) return { kind: 'released' as const };
        stored.length = 0;
        forgets = false;
        return { kind: 'not-approved' as const, missing: 'bob, carol' };
      },
    };
    await playBatch(world, async ({ batchId, ask, until, handle }) => {
      const { holds } = await until('it is held', (now) => now.approval?.subject === subject);
      expect(holds).toHaveLength(1);
      const approve = () => ask('approve', { approval: saidBy(batchId, 'bob', { subject }) });
      expect(await approve()).toBe('HOLD_APPROVALS_MISSING');
      expect((await until('it is held', (now) => now.holds.length > 0)).holds).toHaveLength(1);
      expect(await approve()).toBeNull();
      await until('it goes on', (now) => now.holds.length === 0);
      expect(await ask('cancel', ACT)).toBeNull();
      await handle.result();
    });
  });
});

describe('a hold that a partition reports', () => {
  it('is in the status of the batch, in any order of its holds', async () => {
    const told = [hold(2, 'STOP_LOSS'), hold(1, 'CANARY')];
    const world = {
      planBatch: async () => PLANNED,
      // The first chunk goes alone; of the others one names the newer hold, and later one the older.
      sendChunk: async ({ chunk, stopped }: SendChunkInput): Promise<SendStep> => {
        if (chunk === 0 || stopped !== null) return { kind: 'created' };
        const next = told.shift();
        return next === undefined ? { kind: 'created' } : { kind: 'held', hold: next };
      },
      sweepChunks: async ({ chunks }: SweepInput) => ({
        settled: chunks,
        moved: [],
        unread: [],
        unsent: [],
      }),
    };
    await playBatch(world, async ({ ask, until, handle }) => {
      const { holds } = await until('both are on', (now) => now.holds.length === 2);
      expect(holds.map(({ n }) => n)).toEqual([1, 2]);
      expect(await ask('cancel', ACT)).toBeNull();
      await handle.result();
    });
  });
});

const PLANNED = { kind: 'planned', digest: DIGEST, chunks: 3, begun: false } as const;

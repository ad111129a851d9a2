import { setTimeout as pause } from 'node:timers/promises';
import type { Stage } from '../stage.ts';
import { FENCE_MS } from '../stack/settings.ts';
import { parentIdOf, type Payroll, resendIdOf } from './payroll.ts';

const LOOK_EVERY_MS = 1_500;
const END_STATES = ['REJECTED', 'REFUSED', 'COMPLETED', 'PARTIAL', 'FAILED', 'CANCELED'];
/** Commands of them at the same time. */
const SIDE_BY_SIDE_MAX = 3;
const LISTED_MAX = '10000';
/** A run without any resend would not show that nothing is paid by both. */
const RESENDS_MIN = 2;
/** Exit code of a command that started a batch and left it. */
const STARTED = 8;

/** Something in the inbox. */
type Item = Readonly<{
  kind: string;
  batchId: string;
  totals: readonly Readonly<{ currency: string; total: string }>[];
  /** What a person types about it. */
  command: string;
}>;

/** A chunk that needs an operator. */
type Asked = Readonly<{
  chunk: number;
  externalId: string;
  attempts: readonly Readonly<{ signedAt: string }>[];
}>;

export const isEnded = ({ state }: Payroll): boolean => END_STATES.includes(state);

/** Does something about each of them, a few at a time, since each may wait for what is down. Throws what the first failure threw. */
async function sideBySide(items: readonly Item[], act: (item: Item) => Promise<unknown>) {
  const queue = [...items];
  const work = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await act(item);
  };
  const lanes = Array.from({ length: SIDE_BY_SIDE_MAX }, work);
  // Whatever is under way comes to its end before anybody looks again.
  await Promise.allSettled(lanes);
  await Promise.all(lanes);
}

/** Everybody who works with Bursar in a run: approves, answers, has failed rows paid again. They tell the truth. */
export function createPerson(stage: Stage) {
  const { commands, payrolls } = stage;
  const answers: Record<string, number> = {};
  let isHurried = false;

  /** What is not known yet is a resend, perhaps of a command that was killed before it could say that it had started one. */
  const payrollOf = (batchId: string): Payroll => {
    const known = payrolls.get(batchId);
    if (known !== undefined) return known;
    const parent = payrolls.get(parentIdOf({ batchId }));
    if (parent === undefined) throw new Error(`whose is ${batchId}?`);
    parent.isResent = true;
    const resend: Payroll = {
      batchId,
      rows: [],
      generation: 1,
      state: 'NEW',
      isTaken: true,
      isResent: true,
    };
    payrolls.set(batchId, resend);
    return resend;
  };

  const run = async (
    what: string,
    wanted: number,
    ...command: Parameters<typeof commands.run>
  ): Promise<boolean> => {
    const { code } = await commands.run(...command);
    if (code === wanted) answers[what] = (answers[what] ?? 0) + 1;
    return code === wanted;
  };

  const approve = async ({ batchId, totals }: Item): Promise<void> => {
    const { keyFile, name } = stage.settings.approver;
    const confirmed = totals.map(({ currency, total }) => `${total}:${currency}`).join(',');
    // It counts from the moment when it may have been taken.
    payrollOf(batchId).approvedAtMs ??= Date.now();
    const as = ['--key', keyFile, '--as', name, '--confirm', confirmed];
    await run('approved', 0, 'approve', batchId, ...as);
  };

  const answer = async (batchId: string): Promise<void> => {
    const { value } = await commands.run('status', batchId);
    for (const { chunk, externalId, attempts } of (value['needsOperator'] ??
      []) as readonly Asked[]) {
      // Whoever looks too early sees nothing of what is still on its way.
      const lastMs = Math.max(0, ...attempts.map(({ signedAt }) => Date.parse(signedAt)));
      if (Date.now() < lastMs + FENCE_MS) continue;
      const [found] = await stage.desk.massPayoutsNamed(externalId);
      const said = found === undefined ? ['not-created'] : ['adopt', found];
      const why = ['--reason', 'seen in the interface of the service'];
      await run(`resolved: ${said[0]}`, 0, 'resolve', batchId, String(chunk), ...said, ...why);
    }
  };

  const act = async (item: Item): Promise<unknown> => {
    const { kind, batchId } = item;
    if (kind === 'APPROVAL') return approve(item);
    if (kind === 'OPERATOR') return answer(batchId);
    // Somebody else than the submitter lifts a hold of which the policy says so.
    if (kind === 'HOLD' && item.command.startsWith('bursar approve ')) return approve(item);
    if (kind === 'HOLD') return run('resumed', 0, 'resume', batchId, '--reason', 'seen');
    return stage.say(`nobody expected this in the inbox: ${kind} of ${batchId}`);
  };

  const resend = async (parent: Payroll): Promise<void> => {
    const flags = ['--id', resendIdOf(parent.batchId), '--yes', '--confirm-not-paid-elsewhere'];
    const isStarted = await run('resent', STARTED, 'resend', parent.batchId, ...flags, '--detach');
    if (isStarted) payrollOf(resendIdOf(parent.batchId));
  };

  const readStates = async (): Promise<void> => {
    const { value } = await commands.run('list', '--limit', LISTED_MAX);
    for (const { batchId, state } of (value['batches'] ?? []) as readonly Payroll[]) {
      payrollOf(batchId).state = state;
    }
  };

  /** Batches whose failed rows are to be paid again: all that there are, and only a few at the end of the run. */
  const toResend = (): Payroll[] => {
    const resends = [...payrolls.values()].filter(({ generation }) => generation > 0).length;
    if (isHurried && resends >= RESENDS_MIN) return [];
    return [...payrolls.values()].filter(
      ({ state, isResent }) => ['PARTIAL', 'FAILED'].includes(state) && !isResent,
    );
  };

  const look = async (): Promise<void> => {
    await readStates();
    const failed = toResend();
    if (failed.length > 0) await resend(stage.random.pick(failed));
    const { value } = await commands.run('inbox');
    await sideBySide((value['items'] ?? []) as readonly Item[], act);
  };

  return {
    answers,
    /** From now on only what must be is done, so that the run can come to its end. */
    hurry(): void {
      isHurried = true;
    },
    hasPlans: (): boolean => toResend().length > 0,
    /** Works until it is told that everything is done. */
    async work(isDone: () => boolean): Promise<void> {
      while (!isDone()) {
        try {
          await look();
        } catch (error) {
          // The interface of the service is down with the service.
          stage.say(`nobody can look now: ${(error as Error).message}`);
        }
        await pause(LOOK_EVERY_MS);
      }
    },
  };
}

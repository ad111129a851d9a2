import { setTimeout as pause } from 'node:timers/promises';
import type { DrillName } from '../options.ts';
import { parentIdOf, submit } from '../people/payroll.ts';
import { isEnded } from '../people/person.ts';
import { copiesOf, type Part } from '../stack/copies.ts';
import type { Stage } from '../stage.ts';
import type { FaultCounts } from './fault.ts';
import { networkFaults } from './network.ts';
import { runTrack } from './tracks.ts';

/** The share of a run that passes before each copy, and before the loss. */
const STEP_SHARE = 0.15;
const CUT_PEACE_MS = [3_000, 6_000] as const;

/** A batch of which nothing is stored any more. */
const NOT_FOUND = 'BATCH_NOT_FOUND';

/**
 * One loss: copies are made while batches are paid, everything is lost, the copies are restored, and people go on as the run book
 * has it. Answers of the service are cut all the time, so that there are ambiguous creates on both sides of the loss.
 */
export function planDrill(stage: Stage, drill: DrillName) {
  const { random, say, network } = stage;
  const cuts = networkFaults('the service', network.service, ['cut-answer']);
  const parts = partsOf(stage, drill);
  const counts: FaultCounts = Object.fromEntries(
    [...cuts.map(({ name }) => name), ...parts.map(lossName)].map((name) => [name, 0]),
  );
  return {
    counts,
    async happen(): Promise<void> {
      let isOver = false;
      const track = { faults: cuts, peaceMs: CUT_PEACE_MS, random, counts, say };
      const cutting = runTrack(track, () => isOver);
      try {
        await loseAndRestore(stage, parts);
      } finally {
        isOver = true;
      }
      for (const part of parts) counts[lossName(part)] = 1;
      await cutting;
    },
  };
}

const lossName = (part: Part): string => `lost, and restored from a copy: ${part}`;

/** The parts that are lost, the one with the oldest copy first. */
function partsOf({ random }: Stage, drill: DrillName): readonly Part[] {
  if (drill === 'store-lost') return ['store'];
  const parts: Part[] = ['store', 'Temporal', 'files'];
  return parts
    .map((part) => ({ part, order: random.next() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ part }) => part);
}

async function loseAndRestore(stage: Stage, parts: readonly Part[]): Promise<void> {
  const { options, processes, commands, names, say } = stage;
  const copies = copiesOf(stage);
  const stepMs = options.minutes * 60_000 * STEP_SHARE;
  for (const part of parts) {
    await pause(stepMs);
    say(`copying: ${part}`);
    await copies.take(part);
  }
  await pause(stepMs);
  const servers = parts.includes('Temporal') ? (['temporal'] as const) : [];
  const programs = names.filter((name) => name !== 'sandbox' && name !== 'temporal');
  say(`lost: ${parts.join(', ')}`);
  await processes.hold([...programs, ...servers]);
  for (const part of parts) await copies.restore(part);
  await processes.release(servers);
  // Workers that started before would trust the copy.
  const { code, value } = await commands.run('recover', '--store', 'older', '--yes');
  say(
    `bursar recover --store older ended with ${code}: ${JSON.stringify(value['batches'] ?? value)}`,
  );
  await processes.release(programs);
  await submitLost(stage);
}

/**
 * People submit again, under the same id, each batch that is gone or open: its copy may be gone as well. What is lost of resends is
 * resent again.
 */
async function submitLost(stage: Stage): Promise<void> {
  const { payrolls, commands, say } = stage;
  for (const payroll of [...payrolls.values()]) {
    if (!payroll.isTaken) continue;
    const { value } = await commands.run('status', payroll.batchId);
    const isGone = value['code'] === NOT_FOUND;
    const parent = payrolls.get(parentIdOf(payroll));
    if (parent === payroll && (isGone || !isEnded(payroll))) {
      say(`submitting again: ${payroll.batchId}, ${isGone ? 'which is gone' : payroll.state}`);
      await submit(stage, payroll);
    } else if (isGone && parent !== undefined) {
      payrolls.delete(payroll.batchId);
      parent.isResent = false;
    }
  }
}

import { CancellationScope, defineSignal, setHandler } from '@temporalio/workflow';
import type { Controls } from '../contract/activities.ts';
import { SIGNAL_CONTROLS } from '../contract/names.ts';
import type { Act } from '../contract/messages.ts';
import { readControls } from './activities.ts';
import type { ApprovalDesk } from './approval-desk.ts';
import type { HoldDesk } from './hold-desk.ts';

export const controlsSignal = defineSignal(SIGNAL_CONTROLS);

/** Reads the controls of the batch from the store at each signal, until the batch is over. */
export function listenForControls(
  batchId: string,
  isOver: () => boolean,
  restore: (read: () => Promise<Controls>) => Promise<Controls>,
): void {
  setHandler(controlsSignal, async () => {
    if (isOver()) return;
    await CancellationScope.nonCancellable(() => restore(() => readControls({ batchId })));
  });
}

type Desks = Readonly<{
  holds: Pick<HoldDesk, 'all' | 'restore'>;
  approvals: Pick<ApprovalDesk, 'given' | 'restore'>;
  /** Called when the controls have changed. */
  changed(): void;
}>;

/** Goes on from what was decided so far, as the store has it, and from what is decided while it is read. */
export const restorerOf =
  ({ holds, approvals, changed }: Desks, cancel: (act: Act | null) => void) =>
  async (read: () => Promise<Controls>): Promise<Controls> => {
    const heard = { approvals: approvals.given(), holds: holds.all() };
    const controls = await read();
    cancel(controls.canceled ?? null);
    approvals.restore(controls.approvals, heard.approvals);
    holds.restore(controls.holds, heard.holds);
    changed();
    return controls;
  };

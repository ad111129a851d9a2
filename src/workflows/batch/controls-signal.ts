import { CancellationScope, defineSignal, setHandler } from '@temporalio/workflow';
import type { Controls } from '../../contract/activities.ts';
import { SIGNAL_CONTROLS } from '../../contract/names.ts';
import { readControls } from '../shared/activities.ts';

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

import type { EndState } from '../batch/batch-state.ts';
import type { NotifiableEvent } from './events.ts';

/** The event that the report of an ended batch has changed. */
export const reportChangedNews = (
  batchId: string,
  version: number,
  state: EndState,
): NotifiableEvent => ({
  event: 'report.changed',
  batchId,
  key: `report ${version}`,
  data: { batchId, version, state },
});

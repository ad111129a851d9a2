import type { EndState } from '../batch/batch-state.ts';
import type { News } from './events.ts';

/** Tells that the report of a batch that had ended says something else now. */
export const reportChangedNews = (batchId: string, version: number, state: EndState): News => ({
  event: 'report.changed',
  batchId,
  key: `report ${version}`,
  data: { batchId, version, state },
});

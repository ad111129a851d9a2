import { STEPS } from '../../src/domain/audit/actions.ts';
import type { ChainedEntry } from '../../src/domain/audit/chain.ts';
import type { Store } from '../../src/store/index.ts';

/** What stands in the audit log, without the steps of the engine. */
export const decisionsIn = ({ audit }: Store): Promise<ChainedEntry[]> =>
  audit.list({ without: STEPS, limit: 99 });

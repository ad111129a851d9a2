import type { AdminAnswer } from '../../admin/index.ts';
import { caseOf } from '../../cases.ts';
import type { SandboxServerSettings } from '../../settings.ts';
import type { SandboxStore } from '../../store/store.ts';
import { adminRoute, Nothing } from './route.ts';

/** GET /sandbox/case: everything that happened since the start, so that another sandbox can repeat it. */
export const caseRoute = (settings: SandboxServerSettings, store: SandboxStore) =>
  adminRoute({
    endpoint: 'GET /case',
    input: Nothing,
    answer: (): AdminAnswer<'GET /case'> => caseOf(settings, store),
  });

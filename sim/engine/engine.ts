import type { SendPolicy } from '../../src/domain/sending/decide.ts';
import type { Carelessness } from '../careless.ts';
import type { Ledger } from '../service/ledger.ts';
import type { Service } from '../service/service.ts';
import { WINDOW_MS } from '../setting.ts';
import type { World } from '../world.ts';
import type { SimStore } from './store.ts';
import type { Workers } from './workers.ts';

/** The parts of the engine under test. Its rules are those of `src/domain`; what is here only carries them out. */
export type Engine = Readonly<{
  world: World;
  service: Service;
  store: SimStore;
  workers: Workers;
  /** Consulted by the laws alone, never to decide anything. */
  ledger: Ledger;
  careless: Carelessness | undefined;
  /** Keys that the workflow saw created: it remembers them whatever becomes of the store. */
  seenCreated: Set<string>;
  isStopping(): boolean;
}>;

/** The worker's settings, as their defaults are. */
const POLICY = {
  timestampWindowMs: WINDOW_MS,
  fenceMarginMs: 60_000,
  skewMs: WINDOW_MS,
} as const;
export const SEND_BUDGET_MS = 10_000;

export function policyOf({ world, store, careless, isStopping }: Engine): SendPolicy {
  const { proof } = store.flags();
  const { showsDate, skewMs, resend } = world.setting;
  const noFence = { timestampWindowMs: 0, fenceMarginMs: -WINDOW_MS, skewMs: 0 };
  return {
    ...POLICY,
    ...(careless === 'no-fence' ? noFence : {}),
    resend,
    lookupProven: proof !== null,
    lookupLagMs: proof?.lagMs ?? 0,
    stopping: isStopping(),
    wasCreated: false,
    clockSkewMs: showsDate ? skewMs : undefined,
  };
}

import type { SendPolicy } from '../../src/domain/sending/decide.ts';
import type { Carelessness } from '../careless.ts';
import type { Bank } from '../service/bank.ts';
import type { Ledger } from '../service/ledger.ts';
import type { Service } from '../service/service.ts';
import { findsKeysInTime, WINDOW_MS } from '../setting.ts';
import type { Shown } from './laws-of-outcomes.ts';
import type { World } from '../world.ts';
import type { SimStore } from './store.ts';
import { TIMEOUT_MS } from './wire.ts';
import type { Workers } from './workers.ts';

/** The parts of the engine under test. Its rules are those of `src/domain`; what is here only carries them out. */
export type Engine = Readonly<{
  world: World;
  service: Service;
  store: SimStore;
  workers: Workers;
  /** Consulted by the laws alone, never to decide anything. */
  ledger: Ledger;
  bank: Bank;
  careless: Carelessness | undefined;
  /** Keys that the workflow saw created: it remembers them whatever becomes of the store. */
  seenCreated: Set<string>;
  /** Generations that were released; for the laws alone. */
  released: Set<number>;
  /** Outcomes as people were shown them; for the laws alone. */
  shown: Shown;
  isStopping(): boolean;
}>;

/** The worker's settings, as their defaults are. */
const POLICY = {
  timestampWindowMs: WINDOW_MS,
  skewMs: WINDOW_MS,
} as const;
/** Those of an engine that believes any look-up at once. */
const NO_FENCE = { timestampWindowMs: 0, fenceMarginMs: -WINDOW_MS, skewMs: 0 } as const;
export const SEND_BUDGET_MS = 10_000;

type OfChunk = Pick<SendPolicy, 'wasCreated' | 'lookupCheck'>;

/** An account that has paid before: under this key the service has a mass payout from then. */
export const KEY_BEFORE = 'key-before';

const MINUTE_MS = 60_000;

/** Lookups contradicted themselves: that is kept, and the batch is held until a person lets it go on. */
export function distrust({ store, world, careless }: Engine): void {
  store.noteContradiction();
  if (store.flags().isDisproven || careless === 'never-distrusts') return;
  world.count('lookups disproven');
  if (findsKeysInTime(world.setting)) world.broke('I11', 'lookups are disproven');
  store.doubtLookups();
  store.flags().isDisproven = true;
  store.flags().held = true;
  world.agenda.after(world.random.between(MINUTE_MS, 30 * MINUTE_MS), () => {
    store.flags().held = false;
  });
}

export function policyOf(
  { world, store, careless, isStopping }: Engine,
  ofChunk: OfChunk,
): SendPolicy {
  const { isDisproven } = store.flags();
  const proof = isDisproven ? null : store.flags().proof;
  const { showsDate, skewMs, resend } = world.setting;
  return {
    ...POLICY,
    fenceMarginMs: world.clocks.marginMs,
    ...(careless === 'no-fence' ? NO_FENCE : {}),
    resend,
    lookupVerified: proof !== null,
    lookupProvenAtMs: proof?.provenAtMs,
    distrusted: isDisproven,
    lookupLagMs: careless === 'no-fence' ? 0 : (proof?.lagMs ?? 0),
    requestTimeoutMs: TIMEOUT_MS,
    stopping: isStopping(),
    clockSkewMs: showsDate ? skewMs : undefined,
    ...ofChunk,
  };
}

import type { MerchantClient } from '../merchant-api/index.ts';
import type { PaceStore } from '../store/pace.ts';
import type { Service } from './service.ts';

export type PacedServiceOptions = Readonly<{
  api: MerchantClient;
  baseUrl: string;
  account: string;
  /** Requests per second over all workers; undefined: no limit. */
  requestsPerSecond: number | undefined;
  store: Readonly<{ pace: PaceStore }>;
  nowMs(): number;
}>;

/**
 * A service whose requests keep a pace. A create is paced before its attempt is written down, since what is written
 * down must leave within seconds; everything else is paced as it is called.
 */
export function createPacedService(options: PacedServiceOptions): Service {
  const { api, baseUrl, account } = options;
  const pace = createPace(options);
  return {
    baseUrl,
    account,
    pace,
    api: {
      ...api,
      readBalance: after(pace, api.readBalance),
      readMassPayout: after(pace, api.readMassPayout),
      calculateFees: after(pace, api.calculateFees),
      lookup: after(pace, api.lookup),
      listWebhookSubscriptions: after(pace, api.listWebhookSubscriptions),
    },
  };
}

function createPace({ account, requestsPerSecond, store, nowMs }: PacedServiceOptions) {
  if (requestsPerSecond === undefined) return () => Promise.resolve();
  const intervalMs = 1_000 / requestsPerSecond;
  return async (): Promise<void> => {
    const waitMs = (await store.pace.takeSlot(account, intervalMs, nowMs())) - nowMs();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  };
}

const after =
  <Input extends unknown[], Output>(
    pace: () => Promise<void>,
    call: (...input: Input) => Promise<Output>,
  ) =>
  async (...input: Input): Promise<Output> => {
    await pace();
    return call(...input);
  };

import type { MerchantClient } from '@bursar/merchant-api';
import { createPacer, type PacerOptions } from '../../store/sending/pace.ts';
import type { Service } from './service.ts';

export type PacedServiceOptions = PacerOptions & Readonly<{ api: MerchantClient; baseUrl: string }>;

/**
 * A service whose requests keep a pace. A create is paced before its attempt is stored, since a stored attempt must
 * leave within seconds; everything else is paced as it is called.
 */
export function createPacedService(options: PacedServiceOptions): Service {
  const { api, baseUrl, account } = options;
  const pace = createPacer(options);
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

const after =
  <Input extends unknown[], Output>(
    pace: () => Promise<void>,
    call: (...input: Input) => Promise<Output>,
  ) =>
  async (...input: Input): Promise<Output> => {
    await pace();
    return call(...input);
  };

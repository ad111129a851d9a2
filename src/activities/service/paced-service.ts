import { sleep } from '@temporalio/activity';
import { type MerchantClient, MerchantApiError } from '@bursar/merchant-api';
import {
  createPacer,
  type PaceOptions,
  type Pacer,
  type PacerClock,
} from '../../store/sending/pacer.ts';
import type { Service } from './service.ts';

export type PacedServiceOptions = PaceOptions &
  Readonly<{ api: MerchantClient; baseUrl: string; lookupName: string; clock?: PacerClock }>;

/** An activity that is canceled waits no longer. */
const CLOCK_OF_ACTIVITIES: PacerClock = { nowMs: () => performance.now(), wait: sleep };

/**
 * A service whose requests keep a pace. A create is paced before its attempt is stored, since a stored attempt must
 * leave within seconds; everything else is paced as it is called.
 */
export function createPacedService(options: PacedServiceOptions): Service {
  const { api, baseUrl, lookupName, account, clock = CLOCK_OF_ACTIVITIES } = options;
  const pacer = createPacer({ ...options, clock });
  const { pace } = pacer;
  return {
    baseUrl,
    account,
    lookupName,
    pace,
    api: {
      ...api,
      createMassPayout: heeded(pacer, api.createMassPayout),
      readBalance: paced(pacer, api.readBalance),
      readMassPayout: paced(pacer, api.readMassPayout),
      calculateFees: paced(pacer, api.calculateFees),
      lookup: paced(pacer, api.lookup),
      listTransactions: paced(pacer, api.listTransactions),
      listWebhookSubscriptions: paced(pacer, api.listWebhookSubscriptions),
    },
  };
}

type Call<Input extends unknown[], Output> = (...input: Input) => Promise<Output>;

/** A call that waits for its time. */
const paced = <Input extends unknown[], Output>(
  pacer: Pacer,
  call: Call<Input, Output>,
): Call<Input, Output> => {
  const heeding = heeded(pacer, call);
  return async (...input) => {
    await pacer.pace();
    return heeding(...input);
  };
};

/** A call after whose 429 all requests of the account wait for the time that it names. */
const heeded =
  <Input extends unknown[], Output>(pacer: Pacer, call: Call<Input, Output>): Call<Input, Output> =>
  async (...input) => {
    try {
      return await call(...input);
    } catch (error) {
      if (error instanceof MerchantApiError) await pacer.heed(error);
      throw error;
    }
  };

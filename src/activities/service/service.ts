import { fromServiceFailure } from '../../domain/errors/from-service.ts';
import { MerchantApiError, type MerchantClient } from '@bursar/merchant-api';

/** A service and the account on it that a batch is paid from. */
export type Service = Readonly<{
  api: MerchantClient;
  baseUrl: string;
  account: string;
  /** The name of the service in the records of lookups, see `lookupServiceName`. */
  lookupName: string;
  /** Waits for the next slot in which a request may leave. Reads of `api` wait by themselves, creates do not. */
  pace(): Promise<void>;
}>;

/** Runs a call. Throws its failure as an error of the catalogue. */
export async function callService<Result>(
  { api, baseUrl }: Pick<Service, 'api' | 'baseUrl'>,
  call: (api: MerchantClient) => Promise<Result>,
): Promise<Result> {
  try {
    return await call(api);
  } catch (error) {
    if (!(error instanceof MerchantApiError)) throw error;
    throw fromServiceFailure(error, { baseUrl, skewMs: api.clockSkewMs() });
  }
}

import { fromServiceFailure } from '../../domain/errors/from-service.ts';
import type { ServiceAccess } from '../context.ts';

/** Runs a call. Throws its failure as an error of the catalogue. */
export async function callService<Result>(
  { api, baseUrl }: ServiceAccess,
  call: (api: ServiceAccess['api']) => Promise<Result>,
): Promise<Result> {
  try {
    return await call(api);
  } catch (error) {
    // The call has loaded the client; a command that makes none does not.
    const { MerchantApiError } = await import('@bursar/merchant-api');
    if (!(error instanceof MerchantApiError)) throw error;
    throw fromServiceFailure(error, { baseUrl, skewMs: api.clockSkewMs(), isQuoted: true });
  }
}

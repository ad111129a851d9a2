import { refuseClockSkew } from '../../domain/errors/from-service.ts';
import { knownBalances } from '../../domain/funds/known-balances.ts';
import { callService, type Service } from '../service/service.ts';

/** Reads the balances of an account, by currency. Throws SERVICE_ANSWER_UNREADABLE when one of the wanted currencies may not be read. */
export async function readBalances(
  service: Service,
  account: string,
  wanted: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { value } = await callService(service, (api) => api.readBalance({ account }));
  refuseClockSkew(service.api.clockSkewMs());
  return knownBalances(value, wanted);
}

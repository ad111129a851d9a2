import { refuseClockSkew } from '../../domain/errors/from-service.ts';
import { callService, type Service } from '../service/service.ts';

/** Reads the balances of an account, by currency. */
export async function readBalances(
  service: Service,
  account: string,
): Promise<ReadonlyMap<string, string>> {
  const { value } = await callService(service, (api) => api.readBalance({ account }));
  refuseClockSkew(service.api.clockSkewMs());
  return new Map(value.balances.map(({ currency, amount }) => [currency, amount]));
}

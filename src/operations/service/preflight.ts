import type { Balances } from '@bursar/merchant-api';
import type { Settings } from '../../config.ts';
import { refuseClockSkew } from '../../domain/errors/from-service.ts';
import type { OperationContext, ServiceAccess } from '../context.ts';
import { callService } from './call-service.ts';
import { feeItems, feeOf } from '../../domain/fees/quote.ts';
import type { CurrencySummary } from '../../domain/rows/staging.ts';

/** Whether these settings hold all that a signed call needs. Workers have theirs; the command line can do without. */
export const canCallService = ({ api }: Settings): boolean =>
  api.baseUrl !== undefined &&
  api.key !== undefined &&
  api.account !== undefined &&
  (api.secretFile !== undefined || api.readSecretText !== undefined);

/** Opens the service for `use`, and closes it. */
export async function withService<Result>(
  settings: Settings,
  { open }: OperationContext,
  use: (service: ServiceAccess) => Promise<Result>,
): Promise<Result> {
  const service = await open.service(settings);
  try {
    return await use(service);
  } finally {
    await service.api.close();
  }
}

/**
 * One signed read of the balance: it proves address, key, secret, account and clock before anything is started.
 * Throws SERVICE_UNREACHABLE, SERVICE_REFUSED_KEY, CLOCK_SKEW.
 */
export async function readBalances(
  service: ServiceAccess,
  account: string = service.account,
): Promise<Balances> {
  const { value } = await callService(service, (api) => api.readBalance({ account }));
  const skewMs = service.api.clockSkewMs();
  refuseClockSkew(skewMs);
  return value;
}

/** The currencies in which the account has a balance; null where a part of the answer cannot be read. */
export async function listedCurrencies(service: ServiceAccess): Promise<readonly string[] | null> {
  const { balances, unreadableParts } = await readBalances(service);
  return unreadableParts.length === 0 ? balances.map(({ currency }) => currency) : null;
}

/**
 * Quotes the fees of the service, by currency. A currency whose quote fails is left out. A service without the
 * operation gives no fees.
 */
export async function quoteFees(
  service: ServiceAccess,
  currencies: readonly CurrencySummary[],
): Promise<ReadonlyMap<string, string>> {
  const fees = new Map<string, string>();
  if (!service.api.hasOperation('FEE_CALCULATION')) return fees;
  for (const summary of currencies) {
    const items = feeItems(summary);
    const { value } = await callService(service, (api) => api.calculateFees({ items }));
    const fee = feeOf(summary, value);
    if (fee !== undefined) fees.set(summary.currency, fee);
  }
  return fees;
}

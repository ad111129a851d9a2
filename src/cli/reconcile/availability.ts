import { isPathUnknown } from '../../domain/errors/from-service.ts';
import { MerchantApiError } from '../../merchant-api/index.ts';
import type { Operation } from '../../spec/endpoints.ts';
import type { Service } from '../context.ts';

export const NOT_OFFERED = 'not available: the service has no such operation';

/** What the service gives, or null and why it has no such operation. Every other failure is thrown. */
export async function orWhyNot<Value>(
  { api }: Pick<Service, 'api'>,
  operation: Operation,
  ask: () => Promise<Value>,
): Promise<readonly [value: Value | null, available: string]> {
  if (!api.hasOperation(operation)) return [null, NOT_OFFERED];
  try {
    return [await ask(), 'available'];
  } catch (error) {
    const isMissing = error instanceof MerchantApiError && isPathUnknown(error);
    if (!isMissing) throw error;
    return [null, `not available: there is nothing at the path of ${operation}`];
  }
}

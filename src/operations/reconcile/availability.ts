import { isPathUnknown } from '../../domain/errors/from-service.ts';
import { MerchantApiError } from '@bursar/merchant-api';
import type { Operation } from '@bursar/merchant-api/spec';
import type { ServiceAccess } from '../context.ts';

export const NOT_OFFERED = 'not available: the service has no such operation';

/** Which failures of an operation mean that the service does not have it. */
export type Lacks = (error: MerchantApiError) => boolean;

/**
 * The value that the service returns, or null and the reason why not. Failures that are not about the operation itself
 * are thrown.
 */
export async function orWhyNot<Value>(
  { api }: ServiceAccess,
  { operation, lacks }: Readonly<{ operation: Operation; lacks: Lacks }>,
  ask: () => Promise<Value>,
): Promise<readonly [value: Value | null, available: string]> {
  if (!api.hasOperation(operation)) return [null, NOT_OFFERED];
  try {
    return [await ask(), 'available'];
  } catch (error) {
    if (!(error instanceof MerchantApiError) || !lacks(error)) throw error;
    return [null, `not available: ${error.message}`];
  }
}

/** For a value that a statement needs: only a missing path is accepted as an answer. */
export const hasNoPath: Lacks = isPathUnknown;

/** For an optional value: any answer but the value itself is accepted. */
export const doesNotTell: Lacks = ({ kind }) => kind === 'refused' || kind === 'unreadable';

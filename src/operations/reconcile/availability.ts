import { isPathUnknown } from '../../domain/errors/from-service.ts';
import { MerchantApiError } from '@bursar/merchant-api';
import type { Operation } from '@bursar/merchant-api/spec';
import type { Service } from '../context.ts';

export const NOT_OFFERED = 'not available: the service has no such operation';

/** Which failures of an operation mean that the service does not have it. */
export type Lacks = (error: MerchantApiError) => boolean;

/** What the service gives, or null and why it does not. Failures that say nothing of the operation itself are thrown. */
export async function orWhyNot<Value>(
  { api }: Pick<Service, 'api'>,
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

/** For what a statement is worth little without: only a path that leads nowhere. */
export const hasNoPath: Lacks = isPathUnknown;

/** For what is only told besides: whatever the service answers but the thing itself. */
export const doesNotTell: Lacks = ({ kind }) => kind === 'refused' || kind === 'unreadable';

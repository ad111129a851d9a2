import { type CallMeaning, tellingMore } from './call-failures.ts';
import { callService } from './call-service.ts';
import type { ServiceAccess } from '../context.ts';
import type { Answer } from '@bursar/merchant-api';

export type ApiCall<Value> = CallMeaning &
  Readonly<{ call: (api: ServiceAccess['api']) => Promise<Answer<Value>> }>;

/** Makes one signed call. Throws its failure as an error of the catalogue. */
export async function ask<Value>(
  service: ServiceAccess,
  { call, ...meaning }: ApiCall<Value>,
): Promise<Value> {
  const { value } = await callService(service, (api) => tellingMore(call(api), meaning));
  return value;
}

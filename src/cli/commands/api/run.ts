import type { Answer } from '@bursar/merchant-api';
import { loadSettings } from '../../batch/sources.ts';
import type { Context, Service } from '../../context.ts';
import { callService } from '../../service/call-service.ts';
import { withService } from '../../service/preflight.ts';
import { type CallMeaning, tellingMore } from './failures.ts';

export type ApiCall<Value> = CallMeaning &
  Readonly<{ call: (api: Service['api']) => Promise<Answer<Value>> }>;

/** Makes one signed call. Its failure is told in the catalogue's words. */
export async function ask<Value>(
  service: Service,
  { call, ...meaning }: ApiCall<Value>,
): Promise<Value> {
  const { value } = await callService(service, (api) => tellingMore(call(api), meaning));
  return value;
}

/** Opens the service that the settings name, and closes it. */
export async function withApi<Result>(
  context: Context,
  use: (service: Service) => Promise<Result>,
): Promise<Result> {
  return withService(await loadSettings(context), context, use);
}

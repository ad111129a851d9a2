import { type ApiCall, ask } from '../../../operations/service/ask.ts';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import { loadSettings } from '../../../operations/batch/sources.ts';
import type { Context } from '../../context.ts';
import type { Service } from '../../../operations/context.ts';
import { printResult } from '../../print/output.ts';
import { withService } from '../../../operations/service/preflight.ts';

/** A call whose answer is printed as one record. */
export type ApiRecord<Value> = ApiCall<Value> &
  Readonly<{ schema: string; text: (value: Value) => string }>;

/** Makes one signed call and prints the record that came back. */
export const runApi = <Value extends object>(
  { schema, text, ...call }: ApiRecord<Value>,
  context: Context,
): Promise<number> =>
  withApi(context, async (service) => {
    const value = await ask(service, call);
    printResult(context, { json: { schema, ...value }, text: text(value) });
    return EXIT.done;
  });

/** Opens the service that the settings name, and closes it. */
export async function withApi<Result>(
  context: Context,
  use: (service: Service) => Promise<Result>,
): Promise<Result> {
  return withService(await loadSettings(context), context, use);
}

import { BursarError } from '../../../domain/errors/bursar-error.ts';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import { type Answer, MerchantApiError } from '../../../merchant-api/index.ts';
import { loadSettings } from '../../batch/sources.ts';
import type { Context, Service } from '../../context.ts';
import { callService } from '../../service/call-service.ts';
import { withService } from '../../service/preflight.ts';

export type ApiCall = Readonly<{
  schema: string;
  call: (api: Service['api']) => Promise<Answer<object>>;
  /** What is looked for, for an operation that finds one thing. */
  lookedFor?: string;
}>;

/** Makes one signed call and prints the record that came back, as JSON whatever the format. */
export async function runApi(
  { schema, call, lookedFor }: ApiCall,
  context: Context,
): Promise<number> {
  const settings = await loadSettings(context);
  return withService(settings, context, async (service) => {
    const { value } = await callService(service, (api) => found(call(api), lookedFor));
    const record = { schema, ...value };
    const indent = context.format === 'jsonl' ? undefined : 2;
    context.print(JSON.stringify(record, undefined, indent));
    return EXIT.done;
  });
}

/** ASSUMED: the spec shows no status for "no such object"; 404 is what services answer. */
const STATUS_NOT_FOUND = 404;

async function found<Value>(answer: Promise<Value>, what: string | undefined): Promise<Value> {
  try {
    return await answer;
  } catch (cause) {
    const isMiss = cause instanceof MerchantApiError && cause.httpStatus === STATUS_NOT_FOUND;
    if (!isMiss || what === undefined) throw cause;
    throw new BursarError('LOOKUP_NOTHING', { what }, { cause });
  }
}

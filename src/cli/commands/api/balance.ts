import type { Context } from '../../context.ts';
import { balanceText } from '../../print/api-money-text.ts';
import { runApi } from './run.ts';

/** `bursar api balance`: every balance of the account. */
export const balance = (_flags: object, context: Context): Promise<number> =>
  runApi(
    { schema: 'bursar.api-balance/v1', call: (api) => api.readBalance(), text: balanceText },
    context,
  );

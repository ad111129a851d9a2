import type { Context } from '../../context.ts';
import { userText } from '../../print/api-user-text.ts';
import { runApi } from './run.ts';

/** `bursar api user`: whom the key belongs to, and what they may do. */
export const user = (_flags: object, context: Context): Promise<number> =>
  runApi(
    {
      schema: 'bursar.api-user/v1',
      call: (api) => api.readUser(),
      text: (value) => userText(value, context),
    },
    context,
  );

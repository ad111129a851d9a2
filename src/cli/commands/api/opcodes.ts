import { ask } from '../../../operations/service/ask.ts';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import type { Context } from '../../context.ts';
import { printResult } from '../../print/output.ts';
import { printable } from '../../terminal/printable.ts';
import { withApi } from './run.ts';

/** `bursar api opcodes`: the operation codes that transactions may have. */
export const opcodes = (_flags: object, context: Context): Promise<number> =>
  withApi(context, async (service) => {
    const opCodes = await ask(service, { call: (api) => api.listOperationCodes() });
    if (context.format === 'jsonl') {
      const schema = 'bursar.api-opcode/v1';
      for (const opCode of opCodes) context.print(JSON.stringify({ schema, opCode }));
      return EXIT.done;
    }
    const json = { schema: 'bursar.api-opcodes/v1', opCodes };
    printResult(context, { json, text: opCodes.map(printable).join('\n') });
    return EXIT.done;
  });

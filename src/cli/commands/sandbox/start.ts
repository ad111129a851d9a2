import type { Context } from '../../context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { operation } from '../../command-table/operation-command.ts';
import { printResult } from '../../print/output.ts';
import { runSandbox } from '../../sandbox/foreground.ts';
import { text } from './fields.ts';

export const start = operation({
  name: 'start',
  summary: 'start a sandbox in the foreground, until Ctrl-C (as "npm run sandbox" does)',
  fields: { url: text.optional() },
  async run({ url }, context) {
    if (url !== undefined) {
      throw flagInvalid(
        '--url',
        'a new sandbox listens where BURSAR_SANDBOX_LISTEN or [sandbox] in bursar.toml says',
      );
    }
    return runSandbox({ ...context, onLine: (line) => printLine(line, context) });
  },
});

const READY_LINE = 'sandbox listening on ';

function printLine(line: string, context: Context): void {
  if (context.format === 'text' || !line.startsWith(READY_LINE)) context.print(line);
  else {
    const json = { schema: 'bursar.sandbox-start/v1', url: line.slice(READY_LINE.length) };
    printResult(context, { json, text: line });
  }
}

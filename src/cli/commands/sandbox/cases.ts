import { resolve } from 'node:path';
import { z } from 'zod';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import { flag, operation } from '../../operation-table/operation.ts';
import { render } from '../../operation-table/printout.ts';
import { printDocument } from '../../print/output.ts';
import { runSandbox } from '../../sandbox/foreground.ts';
import { printable } from '../../terminal/printable.ts';
import { text } from './fields.ts';
import { sandboxOperation } from './operations.ts';

/** The result of a replay, as the sandbox's own program prints it. */
const Replay = z.object({
  schema: z.literal('bursar.sandbox-replay/v1'),
  requests: z.int(),
  difference: z
    .object({
      number: z.int(),
      time: z.string(),
      operation: z.string(),
      expected: z.string(),
      actual: z.string(),
    })
    .nullable(),
});
type Replay = z.output<typeof Replay>;

function replayText({ requests, difference }: Replay): string {
  if (difference === null) return `${requests} requests have the same answers.`;
  const { number, operation: name, time, expected, actual } = difference;
  return [
    `Request ${number} of ${requests} (${name}, ${time}) has another answer.`,
    `expected: ${printable(expected)}`,
    `actual:   ${printable(actual)}`,
  ].join('\n');
}

/** Cases: all that happened in a sandbox, to be repeated in another one. */
export const CASE_OPERATIONS = [
  sandboxOperation({
    name: 'case export',
    summary: 'print all that happened as JSON; needs the mode bodies=kept from the start',
    async run(_given, sandbox, context) {
      printDocument(context, await sandbox.call('GET /case'));
      return EXIT.done;
    },
  }),
  operation({
    name: 'case replay',
    summary: 'repeat a case in a fresh sandbox, and name the first answer that differs',
    fields: { file: flag('<file>', 'JSON file of "case export"', text), url: text.optional() },
    async run({ file }, context) {
      const lines: string[] = [];
      const args = ['case', 'replay', resolve(context.cwd, file), '--json'];
      const code = await runSandbox(context, (line) => void lines.push(line), args);
      const [line] = lines;
      if (line === undefined) return code;
      const { schema, ...record } = Replay.parse(JSON.parse(line));
      await render({ schema, record, text: replayText({ schema, ...record }) }, context);
      return record.difference === null ? EXIT.done : EXIT.tampered;
    },
  }),
];

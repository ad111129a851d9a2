import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { instantText } from '../../../operations/text/instants.ts';
import { optionalFlag } from '../../command-table/flag.ts';
import { operation, type OperationSection } from '../../command-table/operation-command.ts';
import { render } from '../../command-table/printout.ts';
import type { Context } from '../../context.ts';
import { printResult } from '../../print/output.ts';
import type { SandboxClient } from '../../sandbox/client.ts';
import { clockText } from '../../sandbox/clock-text.ts';
import { runSandbox } from '../../sandbox/foreground.ts';
import { printable } from '../../terminal/printable.ts';
import { factLines } from '../../terminal/table.ts';
import { text } from './fields.ts';
import { LIST_COMMANDS } from './lists.ts';
import { modeLines } from './modes.ts';
import { sandboxOperation } from './operations.ts';

const start = operation({
  name: 'start',
  summary: 'start a sandbox in the foreground, until Ctrl-C (as "npm run sandbox" does)',
  fields: { url: text.optional() },
  async run({ url }, context) {
    if (url !== undefined) {
      throw flagInvalid(
        '--url',
        'a new sandbox listens at the address of BURSAR_SANDBOX_LISTEN or of [sandbox] in bursar.toml',
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

const status = sandboxOperation({
  name: 'status',
  summary: 'show whether it works, what it serves, and how it is played',
  async run(_given, sandbox, context) {
    const found = await readStatus(sandbox);
    return {
      schema: 'bursar.sandbox-status/v1',
      record: { url: sandbox.url, ...found },
      text: statusText(sandbox.url, found, context),
    };
  },
});

async function readStatus(sandbox: SandboxClient) {
  const { status: health } = await sandbox.call('GET /health');
  const clock = await sandbox.call('GET /clock');
  const { operations } = await sandbox.call('GET /operations');
  const { modes, overrides } = await sandbox.call('GET /modes');
  const { faults } = await sandbox.call('GET /faults');
  return { status: health, clock, operations, modes, overrides, faults: faults.length };
}

type Status = Awaited<ReturnType<typeof readStatus>>;

function statusText(url: string, found: Status, { colours, clock }: Context): string {
  const { operations, modes, overrides, faults } = found;
  return [
    colours.bold(`The sandbox at ${url} works.`),
    ...factLines([
      ['time', instantText(found.clock.time, clock)],
      ['clock', clockText(found.clock)],
      ['faults', faults === 0 ? 'none' : `${faults}; see "bursar sandbox faults"`],
    ]),
    colours.bold('Operations'),
    ...factLines(operations.map((of) => [printable(of.operation), printable(of.path)])),
    colours.bold('Modes'),
    ...modeLines({ modes, overrides }),
  ].join('\n');
}

const console = sandboxOperation({
  name: 'console',
  summary: 'print the address of its page, on which people see and do everything',
  fields: {
    open: optionalFlag('--open', 'open it in the browser too', z.boolean()),
  },
  async run({ open }, sandbox, context) {
    await sandbox.call('GET /health');
    const url = `${sandbox.url}/sandbox/console`;
    // Printed first: where nothing can open the address, the person still sees it.
    await render({ schema: 'bursar.sandbox-console/v1', record: { url }, text: url }, context);
    if (open) await openPage(url, context);
    return EXIT.done;
  },
});

const openapi = sandboxOperation({
  name: 'openapi',
  summary: 'print the OpenAPI document of what it serves',
  async run(_given, sandbox, context) {
    const document = await sandbox.call('GET /openapi.json');
    // Every format prints the document itself.
    context.print(JSON.stringify(document, undefined, context.format === 'jsonl' ? 0 : 2));
    return EXIT.done;
  },
});

/** The program that opens an address in the person's browser. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
};

/** Opens an address in a browser, and does not wait for it to be closed. Throws FLAG_INVALID where that cannot be done. */
async function openPage(url: string, { env }: Context): Promise<void> {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const opener = spawn(program, [...args, url], { env, detached: true, stdio: 'ignore' });
  try {
    await once(opener, 'spawn');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw flagInvalid('--open', `${program} cannot be run (${code}); open the address yourself`);
  }
  opener.unref();
}

/** Commands that run a sandbox, and that read its state. */
export const RUNNING_OPERATIONS: OperationSection = {
  heading: 'Running and looking:',
  operations: [start, status, console, openapi, ...LIST_COMMANDS],
};

import { EXIT } from '../../../domain/errors/exit-codes.ts';
import type { Context } from '../../context.ts';
import { instantText } from '../../../operations/text/instants.ts';
import { printResult } from '../../print/output.ts';
import type { SandboxFlags } from '../../sandbox/address.ts';
import { readModes } from '../../sandbox/acts.ts';
import type { Sandbox } from '../../sandbox/client.ts';
import { Clock, Faults, Health, Operations } from '../../sandbox/play-records.ts';
import { printable } from '../../terminal/printable.ts';
import { factLines } from '../../terminal/table.ts';
import { clockText } from './clock.ts';
import { modeLines } from './modes.ts';
import { openSandbox } from './open.ts';

/** `bursar sandbox status`: whether it works, what it serves, and how it is played. */
export async function status(flags: SandboxFlags, context: Context): Promise<number> {
  const sandbox = await openSandbox(flags, context);
  const found = await readStatus(sandbox);
  const json = { schema: 'bursar.sandbox-status/v1', url: sandbox.url, ...found };
  printResult(context, { json, text: statusText(sandbox.url, found, context) });
  return EXIT.done;
}

async function readStatus(sandbox: Sandbox) {
  const { status: health } = await sandbox.ask({ path: '/health', answer: Health });
  const clock = await sandbox.ask({ path: '/clock', answer: Clock });
  const { operations } = await sandbox.ask({ path: '/operations', answer: Operations });
  const { modes, overrides } = await readModes(sandbox);
  const { faults } = await sandbox.ask({ path: '/faults', answer: Faults });
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
    ...factLines(operations.map(({ operation, path }) => [printable(operation), printable(path)])),
    colours.bold('Modes'),
    ...modeLines({ modes, overrides }),
  ].join('\n');
}

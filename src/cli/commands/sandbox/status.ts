import type { Context } from '../../context.ts';
import { instantText } from '../../../operations/text/instants.ts';
import { readModes } from '../../sandbox/acts.ts';
import type { Sandbox } from '../../sandbox/client.ts';
import { clockText } from '../../sandbox/clock-text.ts';
import { Clock, Faults, Health, Operations } from '../../sandbox/play-records.ts';
import { printable } from '../../terminal/printable.ts';
import { factLines } from '../../terminal/table.ts';
import { modeLines } from './mode-text.ts';
import { sandboxOperation } from './operations.ts';

export const status = sandboxOperation({
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

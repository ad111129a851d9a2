import type { Context } from '../../context.ts';
import { instantText } from '../../../operations/text/instants.ts';
import { readModes } from '../../sandbox/acts.ts';
import type { SandboxClient } from '../../sandbox/client.ts';
import { clockText } from '../../sandbox/clock-text.ts';
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

async function readStatus(sandbox: SandboxClient) {
  const { status: health } = await sandbox.call({ endpoint: 'GET /health' });
  const clock = await sandbox.call({ endpoint: 'GET /clock' });
  const { operations } = await sandbox.call({ endpoint: 'GET /operations' });
  const { modes, overrides } = await readModes(sandbox);
  const { faults } = await sandbox.call({ endpoint: 'GET /faults' });
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

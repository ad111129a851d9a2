import type { AdminClock } from '@bursar/sandbox/admin';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { instantText } from '../../../operations/text/instants.ts';
import { optionalFlag } from '../../operation-table/operation.ts';
import { clockText } from '../../sandbox/clock-text.ts';
import type { SandboxClient } from '../../sandbox/client.ts';
import { clockChange, duration } from './fields.ts';
import { sandboxOperation } from './operations.ts';

/** Shows the clock, sets how far it is off, or lets time pass on a virtual one. */
export const clock = sandboxOperation({
  name: 'clock',
  summary: 'show or set how far the clock that the service shows is off, or let time pass on it',
  takesDashes: true,
  fields: {
    change: optionalFlag(
      '[offset]',
      'such as 5m, -90s or 250ms; 0; reset: as in the settings; or advance',
      clockChange,
    ),
    ms: optionalFlag('[duration]', 'after advance: the time that passes, such as 30h', duration),
  },
  async run(given, sandbox, context) {
    const record = await callClock(given, sandbox);
    const time = instantText(record.time, context.clock);
    return {
      schema: 'bursar.sandbox-clock/v1',
      record,
      text: `The sandbox shows ${time}: ${clockText(record)}.`,
    };
  },
});

type ClockChange = Readonly<{
  change?: number | null | 'advance' | undefined;
  ms?: number | undefined;
}>;

async function callClock({ change, ms }: ClockChange, sandbox: SandboxClient): Promise<AdminClock> {
  if (change === 'advance') {
    if (ms === undefined) throw flagInvalid('DURATION', 'advance needs one, such as 30h');
    return sandbox.call('POST /clock/advance', { ms });
  }
  if (ms !== undefined) throw flagInvalid('DURATION', 'only advance takes one');
  return change === undefined
    ? sandbox.call('GET /clock')
    : sandbox.call('PUT /clock', { offsetMs: change });
}

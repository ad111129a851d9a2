import { EXIT } from '../../../domain/errors/exit-codes.ts';
import type { Context } from '../../context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { instantText } from '../../../operations/text/instants.ts';
import { printResult } from '../../print/output.ts';
import { setClock } from '../../sandbox/acts.ts';
import type { SandboxFlags } from '../../sandbox/address.ts';
import { offsetText } from '../../sandbox/clock-text.ts';
import { Clock } from '../../sandbox/play-records.ts';
import { openSandbox } from './open.ts';

export type ClockFlags = SandboxFlags & Readonly<{ offset?: string }>;

/** `bursar sandbox clock [OFFSET]`: how far the clock that the service shows is off. */
export async function clock({ offset, ...flags }: ClockFlags, context: Context): Promise<number> {
  const sandbox = await openSandbox(flags, context);
  const shown =
    offset === undefined
      ? await sandbox.ask({ path: '/clock', answer: Clock })
      : await setClock(sandbox, readOffsetMs(offset));
  printResult(context, {
    json: { schema: 'bursar.sandbox-clock/v1', ...shown },
    text: `The sandbox shows ${instantText(shown.time, context.clock)}: ${clockText(shown)}.`,
  });
  return EXIT.done;
}

export const clockText = ({ offsetMs, override }: Clock): string =>
  `${offsetText(offsetMs)}, ${override === null ? 'by the settings' : 'as it was set here'}`;

const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

/** Null for the word that gives the clock back to the settings. */
function readOffsetMs(text: string): number | null {
  if (text === 'reset') return null;
  if (text === '0') return 0;
  const [, sign, count, unit = ''] = /^([+-]?)(\d{1,9})(ms|s|m|h)$/.exec(text) ?? [];
  const offsetMs = Number(count) * (UNITS_MS[unit] ?? Number.NaN);
  if (!Number.isNaN(offsetMs)) return sign === '-' ? -offsetMs : offsetMs;
  throw flagInvalid('OFFSET', `"${text}" is none of 0, reset, and offsets such as 5m or -90s`);
}

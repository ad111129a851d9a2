import { EXIT } from '../../../domain/errors/exit-codes.ts';
import type { Context } from '../../context.ts';
import { flagInvalid } from '../../flags/flag-error.ts';
import { printResult } from '../../print/output.ts';
import { readModes, replaceModes, setModes } from '../../sandbox/acts.ts';
import type { SandboxFlags } from '../../sandbox/address.ts';
import type { Modes, ModeValue, ModeValues } from '../../sandbox/play-records.ts';
import { printable } from '../../terminal/printable.ts';
import { factLines } from '../../terminal/table.ts';
import { readPairs } from './pairs.ts';
import { openSandbox } from './open.ts';

/** `bursar sandbox modes show`: how the service is played. */
export async function showModes(flags: SandboxFlags, context: Context): Promise<number> {
  return print(await readModes(await openSandbox(flags, context)), context);
}

export type SetModesFlags = SandboxFlags & Readonly<{ pairs: readonly string[] }>;

/** `bursar sandbox modes set NAME=VALUE ...`: changes some modes and leaves the others. */
export async function changeModes(
  { pairs, ...flags }: SetModesFlags,
  context: Context,
): Promise<number> {
  const given = readPairs('NAME=VALUE', pairs);
  const sandbox = await openSandbox(flags, context);
  const { modes } = await readModes(sandbox);
  const changes = Object.entries(given).map(([name, text]) => {
    const now = modes[name];
    if (now === undefined) throw unknownMode(name, modes);
    return [name, modeOfText(text, now)] as const;
  });
  return print(await setModes(sandbox, Object.fromEntries(changes)), context);
}

export type ResetModesFlags = SandboxFlags & Readonly<{ names: readonly string[] }>;

/** `bursar sandbox modes reset [NAME ...]`: gives modes back to the settings, all of them unless some are named. */
export async function resetModes(
  { names, ...flags }: ResetModesFlags,
  context: Context,
): Promise<number> {
  const sandbox = await openSandbox(flags, context);
  if (names.length === 0) return print(await replaceModes(sandbox, {}), context);
  const { modes, overrides } = await readModes(sandbox);
  const unknown = names.find((name) => modes[name] === undefined);
  if (unknown !== undefined) throw unknownMode(unknown, modes);
  const left = Object.entries(overrides).filter(([name]) => !names.includes(name));
  return print(await replaceModes(sandbox, Object.fromEntries(left)), context);
}

const unknownMode = (name: string, modes: ModeValues) =>
  flagInvalid(name, `there is no such mode; known are ${Object.keys(modes).join(', ')}`);

/** What a mode has now tells what it can be: a word, or a number that may be without a limit (`none`). */
function modeOfText(text: string, now: ModeValue): ModeValue {
  if (typeof now === 'string') return text;
  if (text === 'none') return null;
  return /^\d{1,12}$/.test(text) ? Number(text) : text;
}

function print(shown: Modes, context: Context): number {
  printResult(context, {
    json: { schema: 'bursar.sandbox-modes/v1', ...shown },
    text: modeLines(shown).join('\n'),
  });
  return EXIT.done;
}

export const modeLines = ({ modes, overrides }: Modes): string[] =>
  factLines(
    Object.entries(modes).map(([name, value]) => {
      const text = printable(value === null ? 'none' : String(value));
      return [printable(name), Object.hasOwn(overrides, name) ? `${text}  (set here)` : text];
    }),
  );

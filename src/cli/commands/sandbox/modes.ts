import { EXIT } from '../../../domain/errors/exit-codes.ts';
import type { Context } from '../../context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
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
  const shown = await setModes(sandbox, Object.fromEntries(changes));
  return printChanges({ before: modes, shown, names: Object.keys(given) }, context);
}

export type ResetModesFlags = SandboxFlags & Readonly<{ names: readonly string[] }>;

/** `bursar sandbox modes reset [NAME ...]`: gives modes back to the settings, all of them unless some are named. */
export async function resetModes(
  { names, ...flags }: ResetModesFlags,
  context: Context,
): Promise<number> {
  const sandbox = await openSandbox(flags, context);
  const { modes, overrides } = await readModes(sandbox);
  if (names.length === 0) {
    const all = { before: modes, names: Object.keys(overrides) };
    return printChanges({ ...all, shown: await replaceModes(sandbox, {}) }, context);
  }
  const unknown = names.find((name) => modes[name] === undefined);
  if (unknown !== undefined) throw unknownMode(unknown, modes);
  const left = Object.entries(overrides).filter(([name]) => !names.includes(name));
  const shown = await replaceModes(sandbox, Object.fromEntries(left));
  return printChanges({ before: modes, shown, names }, context);
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
  const json = { schema: 'bursar.sandbox-modes/v1', ...shown };
  printResult(context, { json, text: modeLines(shown).join('\n') });
  return EXIT.done;
}

type Changes = Readonly<{ before: ModeValues; shown: Modes; names: readonly string[] }>;

/** For people, the modes that they named; for programs, all of them. */
function printChanges({ before, shown, names }: Changes, context: Context): number {
  const json = { schema: 'bursar.sandbox-modes/v1', ...shown };
  const changes = names.map((name) => {
    const [was, is] = [before[name], shown.modes[name]].map(valueText);
    return [printable(name), was === is ? `${is}, as before` : `${is}, was ${was}`] as const;
  });
  const lines = changes.length === 0 ? ['No mode was set here.'] : factLines(changes);
  const text = [...lines, 'All modes: bursar sandbox modes show'].join('\n');
  printResult(context, { json, text });
  return EXIT.done;
}

const valueText = (value: ModeValue | undefined): string => printable(String(value ?? 'none'));

export const modeLines = ({ modes, overrides }: Modes): string[] =>
  factLines(
    Object.entries(modes).map(([name, value]) => {
      const text = valueText(value);
      return [printable(name), Object.hasOwn(overrides, name) ? `${text}  (set here)` : text];
    }),
  );

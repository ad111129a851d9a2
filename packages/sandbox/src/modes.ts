import { z } from 'zod';
import type { AdminModeRange, AdminModeValues } from './admin/index.ts';
import {
  isRequestMode,
  MODE_NAMES,
  MODE_VALUES,
  type ModeName,
  type Modes,
  type SomeModes,
  withModes,
} from './core/modes.ts';
import { Refused } from './core/refusals.ts';
import type { Overrides } from './store/overrides.ts';

/** A year, so that a typing error does not mean for ever. */
const DURATION_MS_MAX = 365 * 24 * 60 * 60 * 1000;

const DurationMs = z.int().min(0).max(DURATION_MS_MAX);

const LIMIT_MAX = 1_000_000_000;

const Limit = z.int().min(1).max(LIMIT_MAX).nullable();

/** Modes as JSON; each may be left out, and others are refused. */
export const ModesInput = z
  .strictObject({
    ...Object.fromEntries(
      Object.entries(MODE_VALUES).map(([name, values]) => [name, z.enum(values)]),
    ),
    timestampWindowMs: DurationMs,
    lookupLagMs: DurationMs,
    keyTtlMs: DurationMs,
    withdrawalsMax: Limit,
    requestsPerSecond: Limit,
  })
  // The schema is made from the table of modes, which says more than TypeScript can follow.
  .partial() as unknown as z.ZodType<SomeModes>;

/** What each mode can be: one of a list, or a whole number in a range, perhaps with null for no limit. */
export const MODE_RANGES: Readonly<Record<ModeName, AdminModeRange>> = {
  ...MODE_VALUES,
  timestampWindowMs: { min: 0, max: DURATION_MS_MAX, canBeNull: false },
  lookupLagMs: { min: 0, max: DURATION_MS_MAX, canBeNull: false },
  keyTtlMs: { min: 0, max: DURATION_MS_MAX, canBeNull: false },
  withdrawalsMax: { min: 1, max: LIMIT_MAX, canBeNull: true },
  requestsPerSecond: { min: 1, max: LIMIT_MAX, canBeNull: true },
};

/** A mode as it stands in settings and headers: a number in digits, and `none` for no limit. */
export function modeOfText(name: ModeName, text: string): unknown {
  if (Object.hasOwn(MODE_VALUES, name)) return text;
  if (text === 'none') return null;
  return /^\d{1,12}$/.test(text) ? Number.parseInt(text, 10) : text;
}

/** The name of the setting of a mode: LOOKUP_LAG_MS for `lookupLagMs`. */
export const settingOf = (name: string): string =>
  name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();

const HEADER_LENGTH_MAX = 1_000;

/**
 * Reads the header `Sandbox-Modes`: `name=value` pairs, separated by commas. Throws Refused on a name that is unknown, that
 * is no matter of one request or that stands there twice, and on an unknown value.
 */
export function readModesHeader(text: string): SomeModes {
  if (text.length > HEADER_LENGTH_MAX) throw new Refused('MODES_INVALID', 'It is too long.');
  const modes = new Map<string, unknown>();
  for (const pair of text.split(',')) {
    const [, name = '', value = ''] = /^\s*(\w+)\s*=\s*([\w-]+)\s*$/.exec(pair) ?? [];
    if (!isRequestMode(name)) {
      throw new Refused('MODES_INVALID', 'It has the form name=value, with the name of a mode.');
    }
    if (modes.has(name)) throw new Refused('MODES_INVALID', `${name} stands there twice.`);
    modes.set(name, modeOfText(name, value));
  }
  const checked = ModesInput.safeParse(Object.fromEntries(modes));
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new Refused('MODES_INVALID', `${issue?.path.join('.')}: ${issue?.message}`);
}

/** The modes that are in force; what the admin API set wins over the settings, and is kept. */
export type ModeSwitch = Readonly<{
  current(): Modes;
  /** What the settings say. */
  settings(): Modes;
  /** What the admin API set. */
  overrides(): SomeModes;
  /** Replaces what the admin API set; what is left out follows the settings. */
  override(modes: SomeModes): void;
}>;

const OVERRIDE = 'modes';

export function createModeSwitch(settings: Modes, overrides: Overrides): ModeSwitch {
  let overriding = ModesInput.parse(overrides.read(OVERRIDE) ?? {});
  let current = withModes(settings, overriding);
  return {
    current: () => current,
    settings: () => settings,
    overrides: () => overriding,
    override(modes) {
      overrides.write(OVERRIDE, modes);
      overriding = modes;
      current = withModes(settings, modes);
    },
  };
}

/** Modes in the order of their table, for people. */
export const modesRecord = (modes: SomeModes): AdminModeValues =>
  Object.fromEntries(
    MODE_NAMES.flatMap((name) => {
      const value = modes[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

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

/** One year. A longer duration is a typing error. */
const DURATION_MS_MAX = 365 * 24 * 60 * 60 * 1000;

const DurationMs = z.int().min(0).max(DURATION_MS_MAX);

const LIMIT_MAX = 1_000_000_000;

const Limit = z.int().min(1).max(LIMIT_MAX).nullable();

/** A choice of modes as JSON. It may leave out any mode. Other names are refused. */
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
    webhookPortMin: Limit,
    subscriptionsMax: Limit,
    pageSizeMax: Limit,
    bodyBytesMax: Limit,
  })
  // TypeScript cannot derive the type of the schema from the table of modes.
  .partial() as unknown as z.ZodType<SomeModes>;

/**
 * The values of each mode: a list of words, or the range of a whole number, where null can mean no
 * limit.
 */
export const MODE_RANGES: Readonly<Record<ModeName, AdminModeRange>> = {
  ...MODE_VALUES,
  timestampWindowMs: { min: 0, max: DURATION_MS_MAX, canBeNull: false },
  lookupLagMs: { min: 0, max: DURATION_MS_MAX, canBeNull: false },
  keyTtlMs: { min: 0, max: DURATION_MS_MAX, canBeNull: false },
  withdrawalsMax: { min: 1, max: LIMIT_MAX, canBeNull: true },
  requestsPerSecond: { min: 1, max: LIMIT_MAX, canBeNull: true },
  webhookPortMin: { min: 1, max: LIMIT_MAX, canBeNull: true },
  subscriptionsMax: { min: 1, max: LIMIT_MAX, canBeNull: true },
  pageSizeMax: { min: 1, max: LIMIT_MAX, canBeNull: true },
  bodyBytesMax: { min: 1, max: LIMIT_MAX, canBeNull: true },
};

/** Reads a mode from settings or from a header: a number in digits, or `none` for no limit. */
export function modeOfText(name: ModeName, text: string): unknown {
  if (Object.hasOwn(MODE_VALUES, name)) return text;
  if (text === 'none') return null;
  return /^\d{1,12}$/.test(text) ? Number.parseInt(text, 10) : text;
}

/** Returns the name of a mode's setting: LOOKUP_LAG_MS for `lookupLagMs`. */
export const settingOf = (name: string): string =>
  name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();

const HEADER_LENGTH_MAX = 1_000;

/**
 * Reads the header `Sandbox-Modes`: `name=value` pairs, separated by commas.
 * Throws Refused for an unknown name or value, a repeated name, and a mode that does not concern a
 * single request.
 */
export function readModesHeader(text: string): SomeModes {
  if (text.length > HEADER_LENGTH_MAX) throw new Refused('MODES_INVALID', 'It is too long.');
  const modes = new Map<string, unknown>();
  for (const pair of text.split(',')) {
    const [, name = '', value = ''] = /^\s*(\w+)\s*=\s*([\w-]+)\s*$/.exec(pair) ?? [];
    if (!isRequestMode(name)) {
      throw new Refused('MODES_INVALID', 'Each entry must be name=value, with the name of a mode.');
    }
    if (modes.has(name)) throw new Refused('MODES_INVALID', `${name} is repeated.`);
    modes.set(name, modeOfText(name, value));
  }
  const checked = ModesInput.safeParse(Object.fromEntries(modes));
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new Refused('MODES_INVALID', `${issue?.path.join('.')}: ${issue?.message}`);
}

/** The modes in force. The admin API wins over the settings, and the store keeps its choice. */
export type ModeSwitch = Readonly<{
  current(): Modes;
  /** The modes of the settings. */
  settings(): Modes;
  /** The modes that the admin API set. */
  overrides(): SomeModes;
  /** Replaces the modes that the admin API set. Modes that are left out follow the settings. */
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

/** The modes as JSON, in the order of their table. */
export const modesRecord = (modes: SomeModes): AdminModeValues =>
  Object.fromEntries(
    MODE_NAMES.flatMap((name) => {
      const value = modes[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

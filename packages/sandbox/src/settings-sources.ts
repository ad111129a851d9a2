import { parse as parseToml, type TomlTable, type TomlValue } from 'smol-toml';
import { DEFAULT_ENDPOINTS } from '@bursar/merchant-api/spec';
import { MODE_NAMES } from './core/modes.ts';
import { modeOfText, settingOf } from './modes.ts';

export type SandboxSettingsSources = Readonly<{
  env: Readonly<Record<string, string | undefined>>;
  /** The text of `bursar.toml`. Empty when there is none. */
  tomlText: string;
  /**
   * The folder at which relative paths start: that of `bursar.toml`, or the working folder without
   * one.
   */
  folder: string;
}>;

/**
 * Every setting as text by its short name. Endpoints are grouped under ENDPOINT, modes under MODES.
 */
export type RawSettings = Readonly<Record<string, string | Readonly<Record<string, unknown>>>>;

export type CollectedSettings = Readonly<{ raw: RawSettings; problems: readonly string[] }>;

const PREFIX = 'BURSAR_SANDBOX_';
const ENDPOINT_PREFIX = 'ENDPOINT_';

const MODES_GROUP = 'MODES';

const MODE_OF_SETTING = new Map(MODE_NAMES.map((name) => [settingOf(name), name]));

/** Returns the environment's name of a setting, for messages. */
export function nameOf(path: readonly PropertyKey[]): string {
  const names = path.map(String);
  const [group, ...rest] = names;
  return `${PREFIX}${(group === MODES_GROUP ? rest.map(settingOf) : names).join('_')}`;
}

/** Merges the sources. For each setting, the environment wins over the file. */
export function collectSettings({ env, tomlText }: SandboxSettingsSources): CollectedSettings {
  const problems: string[] = [];
  const flat = { ...fromToml(tomlText, problems), ...fromEnvironment(env) };
  const raw: Record<string, string> = {};
  const endpoints: Record<string, string> = { ...DEFAULT_ENDPOINTS };
  const modes: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(flat)) {
    const mode = MODE_OF_SETTING.get(name);
    if (name.startsWith(ENDPOINT_PREFIX)) endpoints[name.slice(ENDPOINT_PREFIX.length)] = text;
    else if (mode !== undefined) modes[mode] = modeOfText(mode, text);
    else raw[name] = text;
  }
  return { raw: { ...raw, ENDPOINT: endpoints, [MODES_GROUP]: modes }, problems };
}

function fromEnvironment(env: SandboxSettingsSources['env']): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const [name, text] of Object.entries(env)) {
    if (name.startsWith(PREFIX) && text !== undefined) settings[name.slice(PREFIX.length)] = text;
  }
  return settings;
}

/**
 * `[sandbox]` has the names of the environment in lower case. The endpoints are in a table of their
 * own.
 */
function fromToml(tomlText: string, problems: string[]): Record<string, string> {
  const { endpoints, ...table } = readTable(tomlText, problems);
  const settings: Record<string, string> = {};
  const put = (name: string, value: TomlValue): void => {
    const text = textOf(value);
    if (text === null) problems.push(`${nameOf([name])}: write the number as text, in quotes`);
    else settings[name] = text;
  };
  for (const [name, value] of Object.entries(table)) put(name.toUpperCase(), value);
  for (const [name, value] of Object.entries(isTable(endpoints) ? endpoints : {})) {
    put(`${ENDPOINT_PREFIX}${name.toUpperCase()}`, value);
  }
  return settings;
}

function readTable(tomlText: string, problems: string[]): TomlTable {
  try {
    const { sandbox = {} } = parseToml(tomlText);
    if (isTable(sandbox)) return sandbox;
    problems.push('bursar.toml: [sandbox] must be a table');
  } catch (error) {
    problems.push(`bursar.toml: ${error instanceof Error ? error.message : 'cannot be read'}`);
  }
  return {};
}

const isTable = (value: TomlValue | undefined): value is TomlTable =>
  typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date);

/** Returns null for a number with a fraction, because the TOML reader has already rounded it. */
function textOf(value: TomlValue): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

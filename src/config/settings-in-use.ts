import type { z } from 'zod';
import { maskedUrl } from '../domain/text/masked-url.ts';
import { prefixesOf, valueIn } from './profiles.ts';
import { SECRET_RULE } from './readers.ts';
import { lineOfSetting } from './setting-lines.ts';
import { defaultTextOf, ruleOf } from './settings-document.ts';
import { parseSettingsFile, readSettingsFile, type SettingsFile } from './settings-file.ts';
import {
  type Env,
  readOverrides,
  type SettingDeclaration,
  SETTINGS,
  type Toml,
} from './sources.ts';

/** Where the value of a setting comes from. `profile`: the tables of a profile in the file. */
export type SettingOrigin = 'default' | 'file' | 'profile' | 'environment';

/** A setting as programs use it now. `value`: as it was given, without secrets; null: it has none. */
export type SettingInUse = Readonly<{
  name: string;
  value: string | null;
  origin: SettingOrigin;
  /** The file with the line, or the variable; null for a default. */
  place: string | null;
}>;

/** `file`: the path of the settings file; null: there is none. */
export type SettingsInUse = Readonly<{ file: string | null; settings: readonly SettingInUse[] }>;

type Sources = Readonly<{ env: Env; file: SettingsFile | undefined; toml: Toml }>;

/** Returns every setting of a program, with its origin. No value of a secret is in it. @throws SETTINGS_INVALID */
export function settingsInUse({ env, cwd }: Readonly<{ env: Env; cwd: string }>): SettingsInUse {
  const file = readSettingsFile(cwd, env);
  const sources = { env, file, toml: parseSettingsFile(file) };
  const overrides = readOverrides(env, {});
  return {
    file: file?.path ?? null,
    settings: [
      ...secretInEnvironment(env),
      ...SETTINGS.map((declared): SettingInUse => {
        const { name, schema } = declared;
        const given = overrides.get(name);
        if (given === undefined) return inFile(declared, sources);
        const value = shownValue(schema, given.text);
        return { name, value, origin: 'environment', place: given.place };
      }),
    ],
  };
}

/** The secret of the service is no setting. A variable may hold it, and nobody should forget that. */
const secretInEnvironment = (env: Env): SettingInUse[] =>
  env['BURSAR_API_SECRET']
    ? [{ name: 'api.secret', value: MASK, origin: 'environment', place: 'BURSAR_API_SECRET' }]
    : [];

function inFile({ name, schema }: SettingDeclaration, { env, file, toml }: Sources): SettingInUse {
  const found = prefixesOf(toml, env)
    .map((prefix) => `${prefix}${name}`)
    .find((given) => valueIn(toml, given) !== undefined);
  if (found === undefined || file === undefined) {
    return { name, value: defaultTextOf(schema) ?? null, origin: 'default', place: null };
  }
  const line = lineOfSetting(file.text, found);
  return {
    name,
    value: shownValue(schema, valueIn(toml, found)),
    origin: found.startsWith('profiles.') ? 'profile' : 'file',
    place: line === undefined ? file.path : `${file.path}:${line}`,
  };
}

const MASK = '***';

/** Keys whose values are secrets, or addresses that let their owner in. */
const SECRET_KEY = /secret$|password$|token$|^url$/i;

function shownValue(schema: z.ZodType, value: unknown): string {
  if (ruleOf(schema) === SECRET_RULE) return MASK;
  const given = typeof value === 'string' ? tablesIn(value) : value;
  const text =
    typeof given === 'string'
      ? given
      : JSON.stringify(given, (key, one: unknown) =>
          SECRET_KEY.test(key) && typeof one === 'string' ? MASK : one,
        );
  return maskedUrl(text);
}

/** A variable holds a list of tables as JSON. */
function tablesIn(text: string): unknown {
  if (!text.trimStart().startsWith('[')) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

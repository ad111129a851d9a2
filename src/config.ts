import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse, TomlError } from 'smol-toml';
import { isObject } from './domain/json/is-object.ts';
import { chosenSettings, prefixesOf } from './config/profiles.ts';
import {
  parseSettingsFile,
  readSettingsFile,
  type SettingsFile,
  settingsInvalid,
} from './config/settings-file.ts';
import { replacePrivateFile } from './config/private-writing.ts';
import { Schema } from './config/schema.ts';
import { type ChangedSetting, withSettings, withValues } from './config/settings-text.ts';
import type { Settings } from './config/settings.ts';
import { type Env, overlay, readOverrides, type Toml } from './config/sources.ts';
import { assemble } from './config/assemble.ts';
import { describeIssues } from './config/problems.ts';

export {
  type ApiAccess,
  clientOptions,
  readApiSecret,
  requireApi,
} from './config/api-access.ts';
export {
  createTokens,
  loadBridgeTokens,
  loadCodecTokens,
  readBridgeTokens,
  readCodecTokens,
  type Tokens,
} from './config/token-files.ts';
export {
  addKey,
  type KeyRing,
  makeCurrent,
  makeKeyRing,
  readKeyRing,
  type RingKey,
} from './config/key-ring.ts';
export { ACCOUNT_VARIABLE, OWN_VARIABLES } from './config/accounts.ts';
export { isLoopbackUrl } from './config/loopback.ts';
export { PROFILE_VARIABLE } from './config/profiles.ts';
export { processIds, readSecretFile } from './config/secret-file.ts';
export { makePrivateFile, replacePrivateFile } from './config/private-writing.ts';
export { readKnownSecrets } from './config/known-secrets.ts';
export { loadNoticeTemplate } from './config/notice-file.ts';
export { readChatAddress, readNotifyKeys, readTargetSecrets } from './config/notify-keys.ts';
export type {
  ApiSettings,
  ListenAddress,
  NoticeSettings,
  NotifyTarget,
  OidcSettings,
  CodecSettings,
  ResendMode,
  ScheduleSettings,
  Settings,
  WebPerson,
} from './config/settings.ts';
export { type SettingInUse, settingsInUse } from './config/settings-in-use.ts';
export type { ChangedSetting } from './config/settings-text.ts';
export type { Env } from './config/sources.ts';

export type SettingsSources = Readonly<{
  env: Env;
  /** Settings by their names in `bursar.toml`, from the command line; they win over the environment. */
  flags?: Readonly<Record<string, string>>;
  toml?: SettingsFile;
  /** Folder that relative paths are counted from when there is no `bursar.toml`. */
  cwd: string;
}>;

/**
 * Reads settings from flags, then the environment, then `bursar.toml`, then defaults, and freezes them.
 * Throws SETTINGS_INVALID with everything that is wrong at once; its text never repeats a value.
 */
export function readSettings({ env, flags = {}, toml, cwd }: SettingsSources): Settings {
  const overrides = readOverrides(env, flags);
  const chosen = chosenSettings(parseSettingsFile(toml), env);
  if (chosen.problems.length > 0) throw settingsInvalid(chosen.problems);
  const result = Schema.safeParse(overlay(chosen.toml, overrides));
  if (!result.success) throw settingsInvalid(describeIssues(result.error.issues, overrides));
  const folder = toml === undefined ? cwd : dirname(toml.path);
  return deepFreeze(assemble(result.data, { env, folder }));
}

/** A change of `bursar.toml` that was checked and not made yet. */
export type SettingsChange = Readonly<{
  path: string;
  changed: readonly ChangedSetting[];
  /** Writes the file, whole or not at all, so that its owner alone can read it. Throws the errors of the file system. */
  write(): void;
}>;

/**
 * Plans to set some settings in `bursar.toml`, in the tables of the profile and the account of `env`. Comments, order and
 * everything else stay. Throws SETTINGS_INVALID where the settings with the change are not usable, and when the file has these
 * tables in a form that is not changed here.
 */
export function planSettings(
  { env, cwd }: ProcessLike,
  values: ReadonlyMap<string, string>,
): SettingsChange {
  const given = readSettingsFile(cwd(), env);
  const path = given === undefined ? join(cwd(), 'bursar.toml') : realpathSync(given.path);
  const before = given?.text ?? '';
  const toml = parseSettingsFile({ text: before, path });
  const [prefix] = prefixesOf(toml, env);
  const { text, changed } = withSettings(before, { values, prefix });
  const isSame = isDeepStrictEqual(
    structuredClone(parseChanged(text)),
    structuredClone(withValues(toml, { values, prefix })),
  );
  if (!isSame)
    throw settingsInvalid([`${path} has tables or keys in a form that no program changes`]);
  readSettings({ env, cwd: cwd(), toml: { text, path } });
  return { path, changed, write: () => replacePrivateFile(path, text) };
}

/** The tables of a changed text; undefined when it is no TOML any more. */
function parseChanged(text: string): Toml | undefined {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof TomlError) return undefined;
    throw error;
  }
}

/** The variables of the environment that set some of these settings. They win over `bursar.toml`. */
export function variablesOf(settings: Iterable<string>, env: Env): string[] {
  const overrides = readOverrides(env, {});
  return [...settings].flatMap((name) => overrides.get(name)?.place ?? []);
}

/** What of Node's `process` the settings need. */
export type ProcessLike = Readonly<{ env: Env; cwd: () => string }>;

/** Reads the settings of this process; `bursar.toml` is the one in the working folder, or what `BURSAR_CONFIG` names. */
export function loadSettings(
  { env, cwd }: ProcessLike,
  flags: Readonly<Record<string, string>> = {},
): Settings {
  const toml = readSettingsFile(cwd(), env);
  return readSettings({ env, flags, cwd: cwd(), ...(toml && { toml }) });
}

/** The path of the settings file that a program reads; null: there is none. @throws SETTINGS_INVALID */
export const settingsPathOf = ({ env, cwd }: Readonly<{ env: Env; cwd: string }>): string | null =>
  readSettingsFile(cwd, env)?.path ?? null;

/** Checks the text of a settings file without any variable. @throws SETTINGS_INVALID */
export const checkSettingsText = (toml: SettingsFile): void => {
  readSettings({ env: {}, cwd: dirname(toml.path), toml });
};

function deepFreeze<Value>(value: Value): Value {
  if (!isObject(value)) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}

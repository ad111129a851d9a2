import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { BursarError } from '../domain/errors/bursar-error.ts';
import type { Env, Toml } from './sources.ts';

/** The text of a settings file, and where it is. */
export type SettingsFile = Readonly<{ text: string; path: string }>;

/**
 * Reads the settings file of a program: `bursar.toml` in its folder, or the file that `BURSAR_CONFIG` names. Returns undefined where
 * there is none. @throws SETTINGS_INVALID
 */
export function readSettingsFile(cwd: string, env: Env): SettingsFile | undefined {
  const named = env['BURSAR_CONFIG'];
  const path = named ? resolve(cwd, named) : join(cwd, 'bursar.toml');
  try {
    return { path, text: readFileSync(path, 'utf8') };
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !named) return undefined;
    throw settingsInvalid([`${path} cannot be read (${code})`], cause);
  }
}

/** The tables of a settings file. @throws SETTINGS_INVALID */
export function parseSettingsFile(file: SettingsFile | undefined): Toml {
  if (file === undefined) return {};
  try {
    return parse(file.text);
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    // The message of the parser quotes the line, which may hold a password. So the error has the place alone.
    throw settingsInvalid([
      `${file.path} is not TOML at line ${cause.line}, column ${cause.column}`,
    ]);
  }
}

export const settingsInvalid = (problems: readonly string[], cause?: unknown): BursarError =>
  new BursarError('SETTINGS_INVALID', { problems: problems.join('; ') }, { cause });

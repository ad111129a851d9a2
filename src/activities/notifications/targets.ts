import { createCommandTarget } from './command-target.ts';
import type { Target } from './target.ts';
import { createUrlTarget } from './url-target.ts';

/** A target as the settings have it: a url with keys, or a command. */
export type TargetSettings = Readonly<{
  name: string;
  events: readonly string[];
  url?: string;
  command?: readonly string[];
  readKeys(): readonly Uint8Array[];
}>;

/** What every target is made with. */
export type TargetTools = Readonly<{
  /** The whole environment of commands. */
  hookEnv: Readonly<Record<string, string>>;
  nowMs(): number;
}>;

/** Makes the targets of the settings. */
export const createTargets = (
  settings: readonly TargetSettings[],
  { hookEnv, nowMs }: TargetTools,
): readonly Target[] =>
  settings.flatMap(({ name, events, url, command, readKeys }): Target[] => {
    if (command !== undefined) {
      return [createCommandTarget({ name, events, command, env: hookEnv })];
    }
    return url === undefined ? [] : [createUrlTarget({ name, events, url, readKeys, nowMs })];
  });

/** What commands may see of our environment: enough to find programs and to write dates, and no secret. */
const HOOK_VARIABLES = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'];

export const hookEnvOf = (
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    HOOK_VARIABLES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );

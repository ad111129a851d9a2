import { createChatTarget } from './chat-target.ts';
import { createCommandTarget } from './command-target.ts';
import { createEmailTarget } from './email-target.ts';
import type { Target } from './target.ts';
import { createUrlTarget } from './url-target.ts';

/** A target as the settings have it: of `url`, `command`, `chat` and `smtp` exactly one is there. */
export type TargetSettings = Readonly<{
  name: string;
  events: readonly string[];
  url?: string;
  command?: readonly string[];
  chat?: 'slack' | 'teams';
  smtp?: string;
  from?: string;
  to?: string;
  readKeys(): readonly Uint8Array[];
  /** The address of a channel. */
  readAddress(): string;
  /** The password at the SMTP server. */
  readPassword(): string;
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
  settings.flatMap((target): Target[] => {
    const { url, command, chat, smtp, from = '', to = '' } = target;
    if (command !== undefined) return [createCommandTarget({ ...target, command, env: hookEnv })];
    if (chat !== undefined) return [createChatTarget({ ...target, chat })];
    if (smtp !== undefined) return [createEmailTarget({ ...target, smtp, from, to })];
    return url === undefined ? [] : [createUrlTarget({ ...target, url, nowMs })];
  });

/** What commands may see of our environment: enough to find programs and to write dates, and no secret. */
const HOOK_VARIABLES = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'];

export const hookEnvOf = (
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    HOOK_VARIABLES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );

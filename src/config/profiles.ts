import { ACCOUNT_VARIABLE, settingsOfAccount } from './accounts.ts';
import type { Env, Toml } from './sources.ts';
import {
  badNames,
  type ChosenSettings,
  isNamedTables,
  isTable,
  leavesOf,
  merged,
  type NamedTables,
} from './tables.ts';

/** The variable that names the profile of a program. */
export const PROFILE_VARIABLE = 'BURSAR_PROFILE';

/** Puts the tables of the profile and the account of an environment over those of the whole file. */
export function chosenSettings(file: Toml, env: Env): ChosenSettings {
  const profile = settingsOfProfile(file, env[PROFILE_VARIABLE] || undefined);
  if (profile.problems.length > 0) return profile;
  return settingsOfAccount(profile.toml, env[ACCOUNT_VARIABLE] || undefined);
}

/** The beginnings of the names that a setting may have in the file. The first one that is there wins. */
export function prefixesOf(file: Toml, env: Env): readonly [string, ...string[]] {
  const profile = env[PROFILE_VARIABLE] ? [`profiles.${env[PROFILE_VARIABLE]}.`] : [];
  const isOfAccount = file['accounts'] !== undefined || isInProfile(file, env, 'accounts');
  const account = isOfAccount ? [`accounts.${env[ACCOUNT_VARIABLE]}.`] : [];
  const both = profile.flatMap((one) => account.map((other) => `${one}${other}`));
  const [first, ...rest] = [...both, ...account, ...profile, ''];
  return [first, ...rest];
}

function isInProfile({ profiles }: Toml, env: Env, key: string): boolean {
  if (!isNamedTables(profiles)) return false;
  return profiles[env[PROFILE_VARIABLE] ?? '']?.[key] !== undefined;
}

/**
 * Puts the tables of `[profiles.NAME]` over those of the whole file. Without a name the profiles do nothing.
 *
 * @example `[api]` has a base_url, and `[profiles.test.api]` another: with the profile test, the second one is used.
 */
function settingsOfProfile(file: Toml, name: string | undefined): ChosenSettings {
  const { profiles, ...shared } = file;
  if (profiles === undefined) {
    const problems =
      name === undefined ? [] : [`${PROFILE_VARIABLE} names a profile, and bursar.toml has none`];
    return { toml: shared, problems };
  }
  if (!isNamedTables(profiles)) {
    return { toml: shared, problems: ['profiles (bursar.toml) must hold tables'] };
  }
  const own = name === undefined ? {} : profiles[name];
  const problems = [
    ...badNames('profiles', profiles),
    ...(own === undefined ? [choiceText(profiles)] : []),
    ...hiddenSettings(shared['accounts'], { name, own: own ?? {} }),
  ];
  return { toml: merged(shared, own ?? {}) as Toml, problems };
}

const choiceText = (profiles: NamedTables): string =>
  `${PROFILE_VARIABLE}, or --profile, must be one of ${Object.keys(profiles).join(', ')}`;

/**
 * The settings of a profile that an account has too. The one of the account would win, and the profile would lead to another service
 * or store than it names.
 */
function hiddenSettings(
  accounts: unknown,
  { name, own }: Readonly<{ name: string | undefined; own: Toml }>,
): string[] {
  if (!isNamedTables(accounts)) return [];
  const settings = [...leavesOf(own).keys()].filter((one) => !one.startsWith('accounts.'));
  return Object.entries(accounts).flatMap(([account, table]) => {
    const hidden = settings.filter((setting) => leavesOf(table).has(setting));
    return hidden.map(
      (setting) =>
        `profiles.${name}.${setting} (bursar.toml) must stand in profiles.${name}.accounts.${account}, since accounts.${account} has it too`,
    );
  });
}

/** The value of a setting in the tables of a file; undefined: it is not there. */
export function valueIn(file: Toml, name: string): unknown {
  let value: unknown = file;
  for (const key of name.split('.')) {
    if (!isTable(value)) return undefined;
    value = value[key];
  }
  return value;
}

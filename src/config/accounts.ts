import { type Toml, variableOf } from './sources.ts';
import {
  badNames,
  type ChosenSettings,
  isNamedTables,
  isTable,
  merged,
  type NamedTables,
} from './tables.ts';

/** The variable that names the account of a program, where `bursar.toml` has several. */
export const ACCOUNT_VARIABLE = 'BURSAR_ACCOUNT';

/**
 * Settings that each account must have for itself. With another value of each, the people and programs of one account see
 * no batch, no file and no message of another one.
 */
const OWN_SETTINGS = [
  'api.account',
  'temporal.namespace',
  'store.url',
  'blob.url',
  'report.dir',
  'bridge.token_file',
] as const;

/** The variables of the environment that would give every account of a file the same of {@link OWN_SETTINGS}. */
export const OWN_VARIABLES: readonly string[] = OWN_SETTINGS.map(variableOf);

/**
 * Puts the tables of `[accounts.NAME]` over those of the whole file. A file without accounts stays as it is.
 *
 * @example `[api]` has a base_url, and `[accounts.emea.api]` a key: programs for emea use both.
 */
export function settingsOfAccount(file: Toml, name: string | undefined): ChosenSettings {
  const { accounts, ...shared } = file;
  if (accounts === undefined) {
    const problems =
      name === undefined ? [] : [`${ACCOUNT_VARIABLE} names an account, and bursar.toml has none`];
    return { toml: shared, problems };
  }
  if (!isNamedTables(accounts)) {
    return { toml: shared, problems: ['accounts (bursar.toml) must hold tables'] };
  }
  const own = name === undefined ? undefined : accounts[name];
  const problems = [
    ...badNames('accounts', accounts),
    ...OWN_SETTINGS.flatMap((setting) => sharedSetting(accounts, setting)),
    ...(own === undefined ? [choiceText(Object.keys(accounts))] : []),
  ];
  return { toml: own === undefined ? shared : (merged(shared, own) as Toml), problems };
}

const choiceText = (names: readonly string[]): string =>
  `${ACCOUNT_VARIABLE}, or --account-name, must be one of ${names.join(', ')}`;

/** The accounts that lack a setting of their own, or have that of an account before them. */
function sharedSetting(accounts: NamedTables, setting: string): string[] {
  const taken = new Map<string, string>();
  return Object.entries(accounts).flatMap(([name, account]) => {
    const value = valueAt(account, setting);
    if (value === undefined) return [`accounts.${name}.${setting} (bursar.toml) must be set`];
    const other = taken.get(value);
    taken.set(value, name);
    if (other === undefined) return [];
    return [`accounts.${name}.${setting} (bursar.toml) must differ from that of ${other}`];
  });
}

/** A setting as text; addresses of accounts differ by more than the case of their letters. */
function valueAt(account: Toml, setting: string): string | undefined {
  const [section = '', key = ''] = setting.split('.');
  const table = account[section];
  const value = isTable(table) ? table[key] : undefined;
  return value === undefined ? undefined : JSON.stringify(value).toLowerCase();
}

import { maskedUrl } from '../text/masked-url.ts';

/** The addresses of a store that this version serves, for people. */
export const STORE_URL_RULE =
  'sqlite:FILE, or postgres://USER@HOST/DATABASE with ?sslmode= and others where needed, without a password (store.password_file)';

export const isPostgresUrl = (url: string): boolean => /^postgres(?:ql)?:\/\//.test(url);

/** A user without a password, hosts, a database and parameters. */
const POSTGRES =
  /^postgres(?:ql)?:\/\/(?:[^\s:@/?#]{1,200}@)?[^\s@/?#]{0,1000}\/[^\s@/?#]{1,200}(?:\?(?<query>[^\s#]{1,2000}))?$/;

/** Parameters of an address of PostgreSQL. None of them is a secret. */
const PARAMETERS: readonly string[] = [
  ...['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'host', 'options', 'application_name'],
  'password_file',
];

/**
 * Whether this version has a driver for the address of a store. `sqlite://host/x` is refused too: a SQLite file has no host,
 * and the address would become a folder with that name.
 */
export function isStoreUrl(url: string): boolean {
  if (!isPostgresUrl(url)) return /^sqlite:(?!\/\/[^/]).+$/.test(url) && maskedUrl(url) === url;
  const found = POSTGRES.exec(url);
  const pairs = found?.groups?.['query']?.split('&') ?? [];
  return found !== null && pairs.every((pair) => PARAMETERS.includes(pair.split('=')[0] ?? ''));
}

/** The file of a store; undefined where it is in memory or on a server. */
export function storeFile(url: string): string | undefined {
  const path = /^sqlite:(.+)$/.exec(url)?.[1];
  return path === ':memory:' ? undefined : path;
}

/** The address of a store with the file of its password. SQLite has none. */
export function withPasswordFile(url: string, file: string | undefined): string {
  if (file === undefined || !isPostgresUrl(url)) return url;
  return `${url}${url.includes('?') ? '&' : '?'}password_file=${encodeURIComponent(file)}`;
}

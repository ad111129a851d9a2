import { ENDPOINT_KEYS, SECTIONS } from './schema.ts';

export type Env = Readonly<Record<string, string | undefined>>;
export type Toml = Record<string, unknown>;

/** Every setting by its name in `bursar.toml`, for example `api.base_url` or `api.endpoints.lookup`. */
export const SETTING_NAMES: readonly string[] = [
  ...Object.entries(SECTIONS)
    .flatMap(([section, { shape }]) => Object.keys(shape).map((key) => `${section}.${key}`))
    .filter((name) => !name.endsWith('.endpoints')),
  ...['api', 'sandbox'].flatMap((section) =>
    ENDPOINT_KEYS.map((key) => `${section}.endpoints.${key}`),
  ),
];

/** The environment variable of a setting. */
export function variableOf(name: string): string {
  if (name === 'temporal.task_queue') return 'BURSAR_TASK_QUEUE';
  const singular = name.replace('.endpoints.', '.endpoint.');
  return `BURSAR_${singular.replaceAll('.', '_').toUpperCase()}`;
}

/** A setting's text from outside `bursar.toml`, and where it was given. */
export type Override = Readonly<{ text: string; place: string }>;

/**
 * What the command line says, else the environment, by setting name. Empty text counts as not set,
 * except for an endpoint, where it says that the service has none.
 */
export function readOverrides(env: Env, flags: Env): Map<string, Override> {
  const overrides = new Map<string, Override>();
  for (const name of SETTING_NAMES) {
    const variable = variableOf(name);
    const place = flags[name] === undefined ? variable : 'command line';
    const text = flags[name] ?? env[variable];
    if (text === undefined) continue;
    if (text !== '' || name.includes('.endpoints.')) overrides.set(name, { text, place });
  }
  return overrides;
}

/** Puts the overrides into the tables of `bursar.toml`; what is no table stays, for the schema to refuse. */
export function overlay(toml: Toml, overrides: ReadonlyMap<string, Override>): Toml {
  for (const [name, { text }] of overrides) {
    const path = name.split('.');
    const key = path.pop();
    const table = path.reduce(tableIn, toml);
    if (table !== undefined && key !== undefined) table[key] = text;
  }
  return toml;
}

function tableIn(parent: Toml | undefined, key: string): Toml | undefined {
  if (parent === undefined) return undefined;
  const child = (parent[key] ??= {});
  return typeof child === 'object' && child !== null ? (child as Toml) : undefined;
}

import { isObject } from '../domain/json/is-object.ts';
import { z } from 'zod';
import { SECTIONS } from './schema.ts';

export type Env = Readonly<Record<string, string | undefined>>;
export type Toml = Record<string, unknown>;

/** The names of a setting outside the code, and its declaration. */
export type SettingDeclaration = Readonly<{
  /** In `bursar.toml`, for example `api.base_url` or `api.endpoints.lookup`. */
  name: string;
  /** In the environment. */
  variable: string;
  schema: z.ZodType;
}>;

/** Every setting, in the order of the schema. */
export const SETTINGS: readonly SettingDeclaration[] = Object.entries(SECTIONS).flatMap(
  ([name, schema]) => settingsIn({ name, variable: `BURSAR_${name.toUpperCase()}`, schema }),
);

function settingsIn(declared: SettingDeclaration): SettingDeclaration[] {
  const shape = shapeOf(declared.schema);
  if (shape === undefined) return [declared];
  return Object.entries(shape).flatMap(([key, schema]) => {
    const { variable = `${declared.variable}_${key.toUpperCase()}` } = schema.meta() ?? {};
    return settingsIn({ name: `${declared.name}.${key}`, variable, schema });
  });
}

/** The settings of a table of `bursar.toml`; undefined for a setting that is no table. */
export function shapeOf(schema: z.core.$ZodType): Record<string, z.ZodType> | undefined {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (schema instanceof z.ZodPrefault) return shapeOf(schema.def.innerType);
  return schema instanceof z.ZodPipe ? shapeOf(schema.def.in) : undefined;
}

/** Every setting by its name in `bursar.toml`. */
export const SETTING_NAMES: readonly string[] = SETTINGS.map(({ name }) => name);

/** The environment variable of a setting. */
export function variableOf(name: string): string {
  const declared = SETTINGS.find((setting) => setting.name === name);
  if (declared === undefined) throw new Error(`no setting has the name ${name}`);
  return declared.variable;
}

/** A setting's text from outside `bursar.toml`, and where it was given. */
export type Override = Readonly<{ text: string; place: string }>;

/**
 * The values of the command line, else of the environment, by setting name. An empty text counts as not set, except for
 * an endpoint, where it means that the service has none.
 */
export function readOverrides(env: Env, flags: Env): Map<string, Override> {
  const overrides = new Map<string, Override>();
  for (const { name, variable, schema } of SETTINGS) {
    const place = flags[name] === undefined ? variable : 'command line';
    const text = flags[name] ?? env[variable];
    if (text === undefined) continue;
    if (text !== '' || schema.meta()?.mayBeEmpty) overrides.set(name, { text, place });
  }
  return overrides;
}

/** Puts the overrides into the tables of `bursar.toml`. A value that is no table stays, and the schema refuses it. */
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
  return isObject(child) ? child : undefined;
}

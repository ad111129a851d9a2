import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { packageRoot } from '../package-root.ts';

/** How Temporal is started: by Docker as it stands, natively after `nativeArguments`. */
export type TemporalCommand = Readonly<{
  arguments: readonly string[];
  /** Name and type, for example `BursarBatch` and `Keyword`. */
  searchAttributes: ReadonlyMap<string, string>;
}>;

export type NativePlace = Readonly<{ ports: TemporalPorts; dbFile: string }>;
export type TemporalPorts = Readonly<{ grpc: number; ui: number }>;

const File = z.object({
  services: z.object({ temporal: z.object({ command: z.array(z.string()) }) }),
});

/** Reads the command of the service `temporal` from `temporal-dev.yml`. */
export function readTemporalCommand(
  yml: string = readFileSync(join(packageRoot(), 'temporal-dev.yml'), 'utf8'),
): TemporalCommand {
  const { command } = File.parse(parse(yml)).services.temporal;
  return { arguments: command, searchAttributes: searchAttributesOf(command) };
}

/** The same command for a process of this machine: only address, ports and database file are replaced. */
export function nativeArguments(
  command: TemporalCommand,
  { ports, dbFile }: NativePlace,
): readonly string[] {
  const replacements = {
    ip: '127.0.0.1',
    port: ports.grpc,
    'ui-port': ports.ui,
    'db-filename': dbFile,
  };
  return Object.entries(replacements).reduce(
    (list, [flag, value]) => replaceFlag(list, { flag, value: String(value) }),
    command.arguments,
  );
}

function replaceFlag(
  list: readonly string[],
  { flag, value }: Readonly<{ flag: string; value: string }>,
): readonly string[] {
  const prefix = `--${flag}=`;
  if (!list.some((argument) => argument.startsWith(prefix))) {
    throw new Error(`temporal-dev.yml: the command of the service temporal lacks ${prefix}`);
  }
  return list.map((argument) => (argument.startsWith(prefix) ? `${prefix}${value}` : argument));
}

function searchAttributesOf(command: readonly string[]): ReadonlyMap<string, string> {
  const found = command.flatMap((argument) => {
    const [, name, type] = /^--search-attribute=(\w+)=(\w+)$/.exec(argument) ?? [];
    return name !== undefined && type !== undefined ? [[name, type] as const] : [];
  });
  return new Map(found);
}

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { formsOf } from '../../src/cli/support/redact.ts';

export type Hunt = Readonly<{
  folder: string;
  /** Files and folders below it that are looked through. */
  places: readonly string[];
  /** What must not be there, by what it is. */
  canaries: Readonly<Record<string, string>>;
}>;

/** Where a canary was found, as `file: what it is`; it may be written in any usual form. */
export function findLeaks({ folder, places, canaries }: Hunt): string[] {
  const wanted = Object.entries(canaries).map(([name, value]) => ({
    name,
    forms: formsOf(value).map((form) => Buffer.from(form)),
  }));
  return filesBelow(folder, places).flatMap((file) => {
    const bytes = readFileSync(file);
    return wanted
      .filter(({ forms }) => forms.some((form) => bytes.includes(form)))
      .map(({ name }) => `${relative(folder, file)}: ${name}`);
  });
}

function filesBelow(folder: string, places: readonly string[]): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => places.some((place) => relative(folder, file).startsWith(place)));
}

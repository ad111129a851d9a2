import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formsOf } from '../../src/operations/support/redact.ts';

/** Something that must not be found: what it is, and how it can be written. */
export type Canary = Readonly<{ name: string; forms: readonly string[] }>;

export const canaryOf = (name: string, value: string | Uint8Array): Canary => ({
  name,
  forms: formsOf(value),
});

/** Names of the canaries that are in a text, or in bytes, of which each is taken for a character. */
export function canariesIn(canaries: readonly Canary[], found: string | Buffer): string[] {
  const text = typeof found === 'string' ? found : found.toString('latin1');
  return canaries
    .filter(({ forms }) => forms.some((form) => text.includes(form)))
    .map(({ name }) => name);
}

/** Files below a folder that hold canaries, as `path: name of the canary`. */
export function canariesBelow(canaries: readonly Canary[], folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((file) =>
      canariesIn(canaries, readIfThere(file)).map(
        (name) => `${file.slice(folder.length + 1)}: ${name}`,
      ),
    )
    .sort();
}

/** A store that is being closed removes its log while the folder is read. */
function readIfThere(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

/** How often the command lines are read, in milliseconds. */
const LOOK_EVERY_MS = 100;

/** Reads the command lines of every process of this machine again and again, as `ps` would show them to anybody. */
export function watchCommandLines() {
  const seen = new Set<string>();
  const look = (): void => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const line = readCommandLine(pid);
      if (line !== '') seen.add(line);
    }
  };
  look();
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    stop(): readonly string[] {
      clearInterval(timer);
      look();
      return [...seen];
    },
  };
}

/** A process may have ended since it was listed. */
function readCommandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

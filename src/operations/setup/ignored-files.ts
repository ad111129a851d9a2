import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Adds the missing ones of some lines to `.gitignore` of a folder, and returns them. Everything else in it stays. */
export function addIgnored(folder: string, wanted: readonly string[]): string[] {
  const path = join(folder, '.gitignore');
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const there = new Set(before.split(/\r?\n/).map((line) => line.trim()));
  const lines = wanted.filter((line) => !there.has(line));
  if (lines.length === 0) return [];
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  writeFileSync(path, `${before}${gap}${lines.join('\n')}\n`);
  return lines;
}

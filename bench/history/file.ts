import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/local-stack/package-root.ts';
import type { Result } from '../result.ts';
import { entryOf, type HistoryEntry, readHistory } from './history.ts';

/** The file of all recorded results, one line a run. */
const HISTORY_FILE = 'bench/history.jsonl';

const historyPath = (): string => join(packageRoot(), HISTORY_FILE);

export const loadHistory = (): HistoryEntry[] =>
  existsSync(historyPath()) ? readHistory(readFileSync(historyPath(), 'utf8')) : [];

/** Adds the result of a run to the history, under the commit that is checked out. */
export function recordResult(result: Result): void {
  appendFileSync(historyPath(), `${JSON.stringify(entryOf(result, currentCommit()))}\n`);
}

/** The history itself grows with every run, so it does not count as a difference from the commit. */
function currentCommit(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: packageRoot(), encoding: 'utf8' }).trim();
  const changes = git('status', '--porcelain', '--', '.', `:!${HISTORY_FILE}`);
  return `${git('rev-parse', '--short', 'HEAD')}${changes === '' ? '' : '+'}`;
}

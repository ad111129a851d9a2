import { log } from '@temporalio/activity';
import type { RoundResult, WatchActivities, WatchReport } from '../../contract/housekeeping.ts';
import { isBursarError } from '../../domain/errors/bursar-error.ts';
import { historyNoteOf } from '../../domain/errors/history-note.ts';
import type { Store } from '../../store/index.ts';
import { WATCH_SUBJECTS } from '../../store/housekeeping/health-checks.ts';
import { atBoundary } from '../shared/boundary.ts';
import type { Service } from '../service/service.ts';
import type { Round } from './task.ts';

export type WatchDeps = Readonly<{
  store: Store;
  service: Pick<Service, 'account' | 'baseUrl'>;
  rounds: readonly Round[];
  /** How often the rounds are wanted, in milliseconds. */
  everyMs: number;
  nowMs(): number;
}>;

/** Runs every round once, one after the other. */
export const createWatchActivities = (deps: WatchDeps): WatchActivities => ({
  watchRound: () => atBoundary(() => watchOnce(deps)),
});

async function watchOnce({
  store,
  service,
  rounds,
  everyMs,
  nowMs,
}: WatchDeps): Promise<WatchReport> {
  const results: RoundResult[] = [];
  for (const round of rounds) results.push(await runRound(round));
  const atMs = nowMs();
  const isWell = results.every(({ ok }) => ok);
  const look = { condition: isWell ? 'OK' : 'FAILING', atMs, detail: detailOf(results) };
  await store.watches.note(WATCH_SUBJECTS.housekeeping, look);
  const at = new Date(atMs).toISOString();
  const lookup = await store.proofs.find(service.account, service.baseUrl);
  const ref = { ...(await store.identity.ref()), ...(lookup === undefined ? {} : { lookup }) };
  return { at, everyMs, rounds: results, store: ref };
}

async function runRound({ name, run }: Round): Promise<RoundResult> {
  try {
    return { name, ok: true, says: await run() };
  } catch (error) {
    const says = reasonOf(error);
    log.warn('a round of housekeeping failed', { round: name, why: says });
    return { name, ok: false, says };
  }
}

/** The text that the history of housekeeping may keep. */
function reasonOf(error: unknown): string {
  if (isBursarError(error)) return historyNoteOf(error).what;
  return error instanceof Error ? error.message : 'an unknown error';
}

const detailOf = (results: readonly RoundResult[]): string =>
  results
    .filter(({ ok }) => !ok)
    .map(({ name, says }) => `${name}: ${says}`)
    .join('; ');

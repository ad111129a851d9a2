import { STEPS } from '../../domain/audit/actions.ts';
import type { ChainedEntry, ChainHead } from '../../domain/audit/chain.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { AuditCheck } from '../../store/audit/log.ts';
import type { StoreParts } from '../../store/index.ts';
import { withSourcesToRead } from '../batch/sources.ts';
import type { OperationContext } from '../context.ts';
import { checkKeptHeads, type KeptHeads } from './kept-heads.ts';

/** `batchId`: missing: the whole log. `all`: also the engine's own steps. */
export type LogChoices = Readonly<{ batchId?: string; all: boolean }>;

/** Whether the log is as it was written. `kept`: null: the settings name no second place. */
export type LogVerdict = Readonly<{
  whole: boolean;
  /** The number of checked entries. */
  checked: number;
  head: ChainHead;
  broken: AuditCheck['broken'];
  kept: KeptHeads | null;
}>;

/** An entry of the log. `at`: ISO 8601 in UTC. */
export type LogEntry = ReturnType<typeof shown>;

export type ReadLog = Readonly<{ about: LogVerdict; items: AsyncIterable<LogEntry> }>;

/** Entries that are read at once. */
const PAGE = 500;

/** Reads the decisions and tries of people, the oldest first, and checks the log. @throws BATCH_NOT_FOUND */
export const readLog = <Used>(
  { batchId, all }: LogChoices,
  context: OperationContext,
  use: (log: ReadLog) => Promise<Used>,
): Promise<Used> =>
  withSourcesToRead(context, ({ settings, store }) =>
    store.snapshot(async (moment) => {
      await refuseUnknown(moment, batchId);
      const { headUrl } = settings.audit;
      const kept = headUrl === undefined ? null : await checkKeptHeads(moment, headUrl);
      const { entries: checked, head, broken } = await moment.audit.verify(batchId);
      const about = { whole: broken === null, checked, head, broken, kept };
      const which = batchId === undefined ? { all } : { batchId, all };
      return use({ about, items: entries(moment, which) });
    }),
  );

/** Refuses an unknown id: its empty log would pass for a batch without decisions. */
async function refuseUnknown(
  { audit: log, batches }: StoreParts,
  batchId: string | undefined,
): Promise<void> {
  if (batchId === undefined || (await batches.find(batchId)) !== undefined) return;
  const known = await log.list({ batchId, limit: 1 });
  if (known.length === 0) throw new BursarError('BATCH_NOT_FOUND', { batchId });
}

async function* entries(
  { audit: log }: StoreParts,
  { all, ...which }: LogChoices,
): AsyncGenerator<LogEntry> {
  const without = all ? [] : STEPS;
  for (let afterSeq = 0; ; ) {
    const page = await log.list({ ...which, afterSeq, without, limit: PAGE });
    yield* page.map(shown);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    afterSeq = last.seq;
  }
}

const shown = ({ atMs, ...entry }: ChainedEntry) => ({
  ...entry,
  at: new Date(atMs).toISOString(),
});

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
  withSourcesToRead(context, async ({ settings, store }) => {
    const { about, lastSeq } = await store.snapshot(async (moment) => {
      await refuseUnknown(moment, batchId);
      const { headUrl } = settings.audit;
      const kept = headUrl === undefined ? null : await checkKeptHeads(moment, headUrl);
      const { entries: checked, head, broken } = await moment.audit.verify(batchId);
      const verdict = { whole: broken === null, checked, head, broken, kept };
      return { about: verdict, lastSeq: (await moment.audit.head()).seq };
    });
    const which = { all, ...(batchId === undefined ? {} : { batchId }) };
    // Entries never change. A reader may take them slowly, and holds no snapshot meanwhile.
    return use({ about, items: entries(store, { ...which, lastSeq }) });
  });

/** Refuses an unknown id: its empty log would pass for a batch without decisions. */
async function refuseUnknown(
  { audit: log, batches }: StoreParts,
  batchId: string | undefined,
): Promise<void> {
  if (batchId === undefined || (await batches.find(batchId)) !== undefined) return;
  const known = await log.list({ batchId, limit: 1 });
  if (known.length === 0) throw new BursarError('BATCH_NOT_FOUND', { batchId });
}

/** The entries up to the last one that was checked. */
async function* entries(
  { audit: log }: StoreParts,
  { all, lastSeq, ...which }: LogChoices & Readonly<{ lastSeq: number }>,
): AsyncGenerator<LogEntry> {
  const without = all ? [] : STEPS;
  for (let afterSeq = 0; afterSeq < lastSeq; ) {
    const page = await log.list({ ...which, afterSeq, without, limit: PAGE });
    yield* page.filter(({ seq }) => seq <= lastSeq).map(shown);
    afterSeq = page.length < PAGE ? lastSeq : (page.at(-1)?.seq ?? lastSeq);
  }
}

const shown = ({ atMs, ...entry }: ChainedEntry) => ({
  ...entry,
  at: new Date(atMs).toISOString(),
});

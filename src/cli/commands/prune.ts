import { EXIT } from '../../domain/errors/exit-codes.ts';
import { keptText, PRUNE_AGE_MS_MIN, sizeText } from '../../domain/retention/prune-rule.ts';
import { counted } from '../../domain/text/counted.ts';
import { withSources } from '../../operations/batch/sources.ts';
import { readDurationMs } from '../../operations/input/duration.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { prune, type PrunedBatch } from '../../operations/retention/prune.ts';
import type { Context } from '../context.ts';
import { printList } from '../print/output.ts';

type PruneFlags = Readonly<{ olderThan?: string; yes?: boolean; dryRun?: boolean }>;

const DAY_MS = 86_400_000;
/** Without `--older-than`: a year of books, and some weeks. */
const OLDER_THAN = '400d';
/** A century, in days. */
const DAYS_MAX = 36_500;

/** `bursar prune`: removes the rows of old batches, and keeps their digests. Without `--yes` it only lists them. */
export async function pruneBatches(flags: PruneFlags, context: Context): Promise<number> {
  const olderThanMs = readAge(flags.olderThan ?? OLDER_THAN);
  const isDryRun = flags.dryRun === true || flags.yes !== true;
  return withSources(context, async (sources) => {
    const blobs = await context.open.blobs(sources.settings);
    const found: PrunedBatch[] = [];
    const batches = prune({ sources, blobs, context }, { olderThanMs, isDryRun });
    await printList(context, keeping(batches, found), output({ olderThanMs, isDryRun }));
    context.say(summaryText(found, isDryRun));
    const isProven = found.every(({ kept }) => kept?.obstacle !== 'NOT_PROVEN');
    return isProven ? EXIT.done : EXIT.tampered;
  });
}

function readAge(text: string): number {
  const ageMs = readDurationMs('--older-than', text, DAYS_MAX);
  if (ageMs >= PRUNE_AGE_MS_MIN) return ageMs;
  throw flagInvalid('--older-than', `"${text}" is less than ${PRUNE_AGE_MS_MIN / DAY_MS}d`);
}

async function* keeping(
  batches: AsyncIterable<PrunedBatch>,
  found: PrunedBatch[],
): AsyncGenerator<PrunedBatch> {
  for await (const one of batches) {
    found.push(one);
    yield one;
  }
}

const sizeOf = ({ sizes }: PrunedBatch): number => sizes.copy + sizes.rows + sizes.reports;

const output = (wish: Readonly<{ olderThanMs: number; isDryRun: boolean }>) => ({
  schema: 'bursar.prune/v1',
  about: { olderThanDays: wish.olderThanMs / DAY_MS, dryRun: wish.isDryRun },
  name: 'batches',
  lineSchema: 'bursar.pruned-batch/v1',
  header: 'Old batches, the oldest first:',
  textOf: (one: PrunedBatch): string => {
    const { batchId, endedAt, rows, kept, pruned } = one;
    const what = `${counted(rows, 'row')}, ${sizeText(sizeOf(one))}`;
    const about = `${batchId}  ended ${endedAt?.slice(0, 10) ?? '-'}  ${what}`;
    if (kept !== null) return `${about}  stays: ${keptText(kept, batchId)}`;
    return `${about}  ${pruned ? 'removed' : 'would be removed'}`;
  },
});

function summaryText(found: readonly PrunedBatch[], isDryRun: boolean): string {
  const going = found.filter(({ kept }) => kept === null);
  const size = sizeText(going.reduce((sum, one) => sum + sizeOf(one), 0));
  const batches = counted(going.length, 'batch', 'batches');
  if (going.length === 0) return 'No batch has rows to remove.';
  return isDryRun
    ? `${batches} with ${size} would lose their rows. Nothing was removed. To remove them: add --yes`
    : `${batches} lost their rows, ${size} in all. Their digests, totals and outcomes are kept.`;
}

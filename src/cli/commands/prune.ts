import { EXIT } from '../../domain/errors/exit-codes.ts';
import { keptText, PRUNE_AGE_MS_MIN, sizeText } from '../../domain/retention/prune-rule.ts';
import { counted } from '../../domain/text/counted.ts';
import { withSources } from '../../operations/batch/sources.ts';
import { readDurationMs } from '../../operations/input/duration.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { forget } from '../../operations/retention/forget.ts';
import { prune, type PrunedBatch, type Pruning } from '../../operations/retention/prune.ts';
import type { Context } from '../context.ts';
import { printList } from '../print/output.ts';

type RemovalFlags = Readonly<{ yes?: boolean; dryRun?: boolean }>;
type PruneFlags = RemovalFlags & Readonly<{ olderThan?: string }>;
type ForgetFlags = RemovalFlags & Readonly<{ address: string }>;

const DAY_MS = 86_400_000;
/** Without `--older-than`: a year of books, and some weeks. */
const OLDER_THAN = '400d';
/** A century, in days. */
const DAYS_MAX = 36_500;

/** `bursar prune`: removes the rows of old batches, and keeps their digests. Without `--yes` it only lists them. */
export async function pruneBatches(flags: PruneFlags, context: Context): Promise<number> {
  const olderThanMs = readAge(flags.olderThan ?? OLDER_THAN);
  const isDryRun = isDryRunOf(flags);
  const found = await remove(
    {
      about: { olderThanDays: olderThanMs / DAY_MS, dryRun: isDryRun },
      header: 'Old batches, the oldest first:',
    },
    (pruning) => prune(pruning, { olderThanMs, isDryRun }),
    context,
  );
  return isProven(found) ? EXIT.done : EXIT.tampered;
}

/** `bursar forget ADDRESS`: removes the rows of every batch that paid to an address. Without `--yes` it only lists them. */
export async function forgetAddress(flags: ForgetFlags, context: Context): Promise<number> {
  const address = readAddress(flags.address);
  const isDryRun = isDryRunOf(flags);
  const found = await remove(
    { about: { dryRun: isDryRun }, header: 'Batches with this address, and their resends:' },
    (pruning) => forget(pruning, { address, isDryRun }),
    context,
  );
  const kept = found.filter((one) => one.kept !== null);
  if (kept.length > 0)
    context.say(`The address stays in ${counted(kept.length, 'batch', 'batches')}.`);
  if (!isProven(found)) return EXIT.tampered;
  return kept.length === 0 ? EXIT.done : EXIT.running;
}

const isDryRunOf = ({ dryRun, yes }: RemovalFlags): boolean => dryRun === true || yes !== true;

const isProven = (found: readonly PrunedBatch[]): boolean =>
  found.every(({ kept }) => kept?.obstacle !== 'NOT_PROVEN');

/** What a listing of removed batches says about itself. */
type Listing = Readonly<{
  about: Readonly<{ dryRun: boolean; olderThanDays?: number }>;
  header: string;
}>;

/** Prints the batches that lose their rows, or would. Returns them. */
async function remove(
  listing: Listing,
  batchesOf: (pruning: Pruning) => AsyncGenerator<PrunedBatch>,
  context: Context,
): Promise<readonly PrunedBatch[]> {
  const found: PrunedBatch[] = [];
  await withSources(context, async (sources) => {
    const blobs = await context.open.blobs(sources.settings);
    const batches = batchesOf({ sources, blobs, context });
    await printList(context, keeping(batches, found), output(listing));
    context.say(summaryText(found, listing.about.dryRun));
  });
  return found;
}

/** Addresses of all networks are of these characters. */
const ADDRESS = /^[\w:+/=-]{8,200}$/;

function readAddress(text: string): string {
  const address = text.trim();
  if (ADDRESS.test(address)) return address;
  throw flagInvalid('ADDRESS', 'give one address, as the file has it');
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

const output = ({ about, header }: Listing) => ({
  schema: 'bursar.prune/v1',
  about,
  array: 'batches',
  lineSchema: 'bursar.pruned-batch/v1',
  header,
  textOf: (one: PrunedBatch): string => {
    const { batchId, endedAt, rows, kept, pruned } = one;
    const what = `${counted(rows, 'row')}, ${sizeText(sizeOf(one))}`;
    const line = `${batchId}  ended ${endedAt?.slice(0, 10) ?? '-'}  ${what}`;
    if (kept !== null) return `${line}  stays: ${keptText(kept, batchId)}`;
    return `${line}  ${pruned ? 'removed' : 'would be removed'}`;
  },
});

function summaryText(found: readonly PrunedBatch[], isDryRun: boolean): string {
  const going = found.filter(({ kept }) => kept === null);
  const size = sizeText(going.reduce((sum, one) => sum + sizeOf(one), 0));
  const batches = counted(going.length, 'batch', 'batches');
  if (going.length === 0) return 'No batch has rows to remove.';
  return isDryRun
    ? `${batches} with ${size} would lose their rows. Nothing was removed. To remove them: add --yes`
    : `${batches} lost their rows, ${size} in all. Totals, outcomes and the proof of payment are kept.`;
}

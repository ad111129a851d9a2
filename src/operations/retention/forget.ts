import { PRUNE_AGE_MS_MIN } from '../../domain/retention/prune-rule.ts';
import { payeeIdOf, payeeKeysOf } from '../../domain/payees/payee-address.ts';
import { searchableParts } from '../../ingest/index.ts';
import { payeeActor } from '../payees/account.ts';
import { type PrunedBatch, pruneLines, type Pruning } from './prune.ts';

/** `address`: as it stands in the submitted files. `isDryRun`: nothing is removed. */
export type ForgetWish = Readonly<{ address: string; isDryRun: boolean }>;

/**
 * Removes the rows of every lineage that has an address, as a prune does, or lists them. The address is in no file of Bursar
 * after it, unless a batch is kept. Packed files and workbooks are unpacked for the search; backups and archives are not searched. Letters match in either case. The registers of
 * payees lose it at once: a denied payee may then be paid again.
 */
export async function* forget(
  pruning: Pruning,
  { address, isDryRun }: ForgetWish,
): AsyncGenerator<PrunedBatch> {
  const { store } = pruning.sources;
  const roots = await rootsWith(pruning, address);
  yield* pruneLines(pruning, roots, { olderThanMs: PRUNE_AGE_MS_MIN, isDryRun });
  await forgetPayees(pruning, { address, isDryRun });
  if (isDryRun) return;
  pruning.context.show('Erasing the removed texts');
  await store.erase();
  pruning.context.clear();
}

/** Removes an address from the register of every account, or shows that it is there. */
async function forgetPayees(
  { sources, context }: Pruning,
  { address, isDryRun }: ForgetWish,
): Promise<void> {
  const { payees } = sources.store;
  const canonical = payeeKeysOf(address).map((key) => key.address);
  const found = await payees.ofAddress(canonical, address);
  if (found.length === 0) return;
  const actor = await payeeActor(sources, context);
  for (const { account, ...key } of isDryRun ? [] : found) {
    await payees.remove(account, [key], () => ({
      atMs: actor.atMs,
      batchId: null,
      actor: actor.by,
      action: 'payee-forget',
      detail: { payee: payeeIdOf(account, key) },
    }));
  }
  context.say(
    isDryRun
      ? 'The register of payees has the address, and would lose it with its name and decision.'
      : 'The register of payees has lost the address, with its name and decision.',
  );
}

/** The first batches of the lineages that have an address, in their rows or in the copies of their files. */
async function rootsWith({ sources, blobs, context }: Pruning, address: string): Promise<string[]> {
  const { retention } = sources.store;
  const roots = new Set(await retention.rootsWithText(address));
  for (const { root, fileSha256 } of await retention.unprunedFiles()) {
    if (roots.has(root) || !(await blobs.has(fileSha256))) continue;
    context.show(`Searching the file of ${root}`);
    const copy = await blobs.open(fileSha256);
    try {
      for await (const part of searchableParts(copy, `the file of ${root}`)) {
        if (await hasText(part, address)) roots.add(root);
      }
    } finally {
      await copy.close();
    }
  }
  context.clear();
  return [...roots];
}

/** Whether bytes have a text of ASCII characters, in either case. Memory holds one block. */
async function hasText(blocks: AsyncIterable<Buffer>, text: string): Promise<boolean> {
  const wanted = text.toLowerCase();
  let end = '';
  for await (const block of blocks) {
    const searched = end + block.toString('latin1').toLowerCase();
    if (searched.includes(wanted)) return true;
    end = searched.slice(-(wanted.length - 1));
  }
  return false;
}

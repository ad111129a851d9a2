import type { SandboxClient } from '../sandbox/client.ts';

/** Withdrawals on one page. */
const PAGE_SIZE = 1_000;

/** The payments that a service made, by its own record. */
export type PaidByService = Readonly<{
  /** Withdrawals that were paid. */
  paid: number;
  /** Rows that have more than one withdrawal that was, or may yet be, paid. */
  twice: number;
}>;

/** States in which a withdrawal pays nothing. */
const UNPAID: readonly string[] = ['FAILED', 'CANCELED'];

/** Counts the payments of a sandbox. The comment of each withdrawal ends with the tag of its row, so it names one row. */
export async function readPaidByService(sandbox: SandboxClient): Promise<PaidByService> {
  const rows = new Map<string, number>();
  let paid = 0;
  for (const id of await massPayoutIds(sandbox)) {
    for (let after: number | null = 0; after !== null; ) {
      const page: Awaited<ReturnType<typeof readPage>> = await readPage(sandbox, id, after);
      for (const { comment, state } of page.withdrawals) {
        if (UNPAID.includes(state)) continue;
        rows.set(comment ?? '', (rows.get(comment ?? '') ?? 0) + 1);
        if (state === 'COMPLETED') paid += 1;
      }
      after = page.next;
    }
  }
  return { paid, twice: [...rows.values()].filter((count) => count > 1).length };
}

const readPage = (sandbox: SandboxClient, id: string, after: number) =>
  sandbox.call('GET /mass-payouts/withdrawals', { id, after, limit: PAGE_SIZE });

async function massPayoutIds(sandbox: SandboxClient): Promise<string[]> {
  const ids: string[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: Awaited<ReturnType<typeof readMassPayouts>> = await readMassPayouts(sandbox, after);
    ids.push(...page.massPayouts.map(({ id }) => id));
    after = page.next;
  }
  return ids;
}

const readMassPayouts = (sandbox: SandboxClient, after: number) =>
  sandbox.call('GET /mass-payouts', { after, limit: PAGE_SIZE });

import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { Store } from '../../../src/store/index.ts';
import { approvalBy, NOW_MS } from '../../support/approvers.ts';
import { openTestStore } from '../../support/store-fixtures.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writableDb } from '../../../src/store/database/writable.ts';

const entry = (action: string, batchId: string | null = 'payroll') => ({
  atMs: NOW_MS,
  batchId,
  actor: 'bob',
  action,
  detail: { reason: 'because "of\n' },
});

async function withStore(use: (store: Store) => Promise<void>): Promise<void> {
  const store = await openTestStore(temporaryFolder());
  await use(store);
  await store.close();
}

/** A store with so many entries, of which somebody then changes something behind our back. */
const tampered = async (statement: string, entries = 5) => {
  const store = await openTestStore(temporaryFolder());
  for (let n = 1; n <= entries; n += 1) await store.audit.append(entry(`act-${n}`));
  await sql.raw(statement).execute(writableDb(store));
  const { broken, head } = await store.audit.verify();
  await store.close();
  return { broken, head };
};

describe('the audit log', () => {
  it('is whole while it is empty, and grows entry by entry', () =>
    withStore(async (store) => {
      const before = await store.audit.verify();
      expect(before).toEqual({ entries: 0, head: { seq: 0, hash: '0'.repeat(64) }, broken: null });
      const first = await store.audit.append(entry('one'));
      const second = await store.audit.append(entry('two', null));
      expect([first.seq, second.seq]).toEqual([1, 2]);
      expect(await store.audit.head()).toEqual(second);
      expect(await store.audit.verify()).toEqual({ entries: 2, head: second, broken: null });
      const [one, two] = await store.audit.list({ limit: 9 });
      expect(one).toMatchObject({ ...entry('one'), seq: 1, previousHash: '0'.repeat(64) });
      expect(two).toMatchObject({ batchId: null, previousHash: first.hash, hash: second.hash });
    }));

  it('stays one chain when many write at once', () =>
    withStore(async (store) => {
      await Promise.all(Array.from({ length: 30 }, (_, n) => store.audit.append(entry(`${n}`))));
      expect(await store.audit.verify()).toMatchObject({ entries: 30, broken: null });
    }));

  it('stays one chain when two processes write at once', async () => {
    const folder = temporaryFolder();
    const [one, other] = [await openTestStore(folder), await openTestStore(folder)];
    const writes = Array.from({ length: 20 }, (_, n) =>
      (n % 2 === 0 ? one : other).audit.append(entry(`${n}`)),
    );
    await Promise.all(writes);
    expect(await one.audit.verify()).toMatchObject({ entries: 20, broken: null });
    await one.close();
    await other.close();
  });

  it('is read in pages, of one batch or of all', () =>
    withStore(async (store) => {
      for (const [n, batchId] of ['a', 'b', 'a', null].entries()) {
        await store.audit.append(entry(`${n}`, batchId));
      }
      const seqs = async (which: Parameters<Store['audit']['list']>[0]) =>
        (await store.audit.list(which)).map(({ seq }) => seq);
      expect(await seqs({ limit: 2 })).toEqual([1, 2]);
      expect(await seqs({ limit: 9, afterSeq: 2 })).toEqual([3, 4]);
      expect(await seqs({ limit: 9, batchId: 'a' })).toEqual([1, 3]);
      expect(await seqs({ limit: 9, batchId: 'a', afterSeq: 1 })).toEqual([3]);
    }));

  it('that is longer than a page is read to its end', () =>
    withStore(async (store) => {
      await Promise.all(Array.from({ length: 501 }, (_, n) => store.audit.append(entry(`${n}`))));
      expect(await store.audit.verify()).toMatchObject({ entries: 501, broken: null });
      await sql.raw("update audit set actor = 'eve' where seq = 501").execute(writableDb(store));
      expect((await store.audit.verify()).broken).toMatchObject({ seq: 501 });
    }));

  it.each<{ statement: string; seq: number }>`
    statement                                                                        | seq
    ${"update audit set actor = 'eve' where seq = 3"}                                | ${3}
    ${"update audit set action = 'act-9' where seq = 1"}                             | ${1}
    ${'update audit set at_ms = at_ms + 1 where seq = 5'}                            | ${5}
    ${'update audit set batch_id = null where seq = 2'}                              | ${2}
    ${'update audit set detail_json = \'{"reason":"x"}\' where seq = 4'}             | ${4}
    ${"update audit set detail_json = 'no JSON' where seq = 4"}                      | ${4}
    ${"update audit set detail_json = '{ ' || substr(detail_json, 2) where seq = 4"} | ${4}
    ${"update audit set facts_json = '{}' where seq = 4"}                            | ${4}
    ${'delete from audit where seq = 2'}                                             | ${2}
    ${'delete from audit where seq = 1'}                                             | ${1}
    ${'update audit set seq = 9 where seq = 5'}                                      | ${5}
    ${'update audit set seq = case seq when 2 then -2 else seq end'}                 | ${1}
  `('shows that somebody did: $statement', async ({ statement, seq }) => {
    expect((await tampered(statement)).broken).toMatchObject({ seq });
  });

  it('without its last entries is whole, and its head differs from the kept one', async () => {
    const { broken, head } = await tampered('delete from audit where seq = 5');
    expect([broken, head.seq]).toEqual([null, 4]);
  });
});

describe('approvals', () => {
  it('are stored to the letter, with their entry in the audit log, once', () =>
    withStore(async (store) => {
      const approval = approvalBy('bob', { reason: 'zwei\n"Zeilen"' });
      expect(await store.approvals.add(approval, NOW_MS)).toBe(true);
      expect(await store.approvals.add(approval, NOW_MS + 5)).toBe(false);
      expect(await store.approvals.list('payroll')).toEqual([{ approval, atMs: NOW_MS }]);
      expect(await store.approvals.list('other')).toEqual([]);
      const log = await store.audit.list({ limit: 9 });
      expect(log).toHaveLength(1);
      expect(log[0]).toMatchObject({
        batchId: 'payroll',
        actor: 'bob',
        action: 'approve',
        detail: { subject: approval.subject, reason: approval.reason, signed: true },
      });
      expect(JSON.stringify(log)).not.toContain(approval.signature);
    }));

  it('of one person are all kept: the one that lapsed, the next one, and the refusal', () =>
    withStore(async (store) => {
      const first = approvalBy('bob');
      const next = approvalBy('bob', { issuedAt: first.expiresAt });
      const refusal = approvalBy('bob', { decision: 'refuse' });
      const other = approvalBy('bob', { subject: 'sha256:hold' });
      const given = [first, next, refusal, other];
      for (const [n, approval] of given.entries()) await store.approvals.add(approval, NOW_MS + n);
      const listed = await store.approvals.list('payroll');
      expect(listed.map(({ approval }) => approval)).toEqual(given);
      expect(await store.audit.verify()).toMatchObject({ entries: 4, broken: null });
    }));

  it('are not stored when the audit log cannot be, and the other way round', () =>
    withStore(async (store) => {
      await sql
        .raw("create trigger stop before insert on audit begin select raise(abort, 'full'); end")
        .execute(writableDb(store));
      await expect(store.approvals.add(approvalBy('bob'), NOW_MS)).rejects.toThrow('full');
      expect(await store.approvals.list('payroll')).toEqual([]);
    }));
});

import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { appendEntries } from '../../../src/store/audit/append.ts';
import type { Tx } from '../../../src/store/database/db.ts';
import { accessTo } from '../../../src/store/database/decide.ts';
import type { Store } from '../../../src/store/index.ts';
import { approvalBy, NOW_MS } from '../../support/approvers.ts';
import { onServer, openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writableDb } from '../../../src/store/database/writable.ts';
import { asFirstChain } from '../support/older-store.ts';

const START = '0'.repeat(64);

/** Stores of earlier versions are files. */
const describeOnFiles = onServer ? describe.skip : describe;

/** Each entry fails, as on a full disk. */
const NO_ENTRIES = onServer
  ? [
      "create function stop() returns trigger as $$ begin raise exception 'full'; end $$ language plpgsql",
      'create trigger stop before insert on audit for each row execute function stop()',
    ]
  : ["create trigger stop before insert on audit begin select raise(abort, 'full'); end"];

const entry = (action: string, batchId: string | null | undefined = 'payroll') => ({
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

/** The transaction, which notes the text of each statement. */
function observed(tx: Tx, seen: string[]): Tx {
  return new Proxy(tx, {
    get(target, name) {
      // The words of the engine belong to its executor, which is private.
      if (name === 'getExecutor') return () => target.getExecutor();
      if (name !== 'executeQuery') return Reflect.get(target, name) as unknown;
      return (query: Parameters<Tx['executeQuery']>[0]) => {
        seen.push('sql' in query ? query.sql : query.compile().sql);
        return target.executeQuery(query);
      };
    },
  });
}

describe('the audit log', () => {
  it('is whole while it is empty, and grows entry by entry', () =>
    withStore(async (store) => {
      const before = await store.audit.verify();
      expect(before).toEqual({ entries: 0, head: { seq: 0, hash: START }, broken: null });
      const first = await store.audit.append(entry('one', null));
      const second = await store.audit.append(entry('two', null));
      expect([first.seq, second.seq]).toEqual([1, 2]);
      expect(await store.audit.head()).toEqual(second);
      expect(await store.audit.verify()).toEqual({ entries: 2, head: second, broken: null });
      const [one, two] = await store.audit.list({ limit: 9 });
      expect(one).toMatchObject({ ...entry('one', null), seq: 1, n: 1, previousHash: START });
      expect(two).toMatchObject({ n: 2, previousHash: first.hash, hash: second.hash });
    }));

  it('has a chain for each batch, and names its end in the store chain', () =>
    withStore(async (store) => {
      for (const batchId of ['a', 'b', 'a', null]) {
        await store.audit.append(entry('act', batchId));
      }
      const all = await store.audit.list({ limit: 9 });
      expect(all.map(({ batchId, action, n }) => [batchId, action, n])).toEqual([
        ...[
          ['a', 'act', 1],
          [null, 'head', 1],
        ],
        ...[
          ['b', 'act', 1],
          [null, 'head', 2],
        ],
        ...[
          ['a', 'act', 2],
          [null, 'act', 3],
        ],
      ]);
      const [first, head, , , second] = all;
      expect(head?.detail).toEqual({ batch: 'a', n: 1, hash: first?.hash });
      expect(second?.previousHash).toBe(first?.hash);
      expect(await store.audit.verify()).toMatchObject({ entries: 6, broken: null });
      const ofA = await store.audit.verify('a');
      expect(ofA).toEqual({ entries: 5, head: await store.audit.headOf('a'), broken: null });
    }));

  it.each(['release', 'report', 'end', 'report-version'])(
    'names the end of a batch after its %s',
    (action) =>
      withStore(async (store) => {
        await store.audit.append(entry('take'));
        await store.audit.append(entry('send'));
        const { hash } = await store.audit.append(entry(action));
        const { seq } = await store.audit.head();
        expect((await store.audit.list({ afterSeq: seq - 1, limit: 1 }))[0]).toMatchObject({
          batchId: null,
          action: 'head',
          detail: { batch: 'payroll', n: 3, hash },
        });
      }),
  );

  it('names the end of a batch once an hour while it is written', () =>
    withStore(async (store) => {
      const hourMs = 3_600_000;
      const startMs = Math.floor(NOW_MS / hourMs) * hourMs;
      for (const atMs of [0, 1, hourMs - 1, hourMs, hourMs + 1, 5 * hourMs]) {
        await store.audit.append({ ...entry('send'), atMs: startMs + atMs });
      }
      const heads = (await store.audit.list({ limit: 99 })).filter(
        ({ n, batchId }) => n && !batchId,
      );
      expect(heads.map(({ detail }) => detail['n'])).toEqual([1, 4, 6]);
      expect(await store.audit.verify()).toMatchObject({ broken: null });
    }));

  it('reads the end of a batch once for a group of entries, and stores them with one statement', () =>
    withStore(async (store) => {
      await store.audit.append(entry('take'));
      const seen: string[] = [];
      const { decide } = accessTo(writableDb(store));
      const group = ['one', 'two', 'three'].map((action) => entry(action));
      await decide([{ batch: 'payroll' }], (tx) => appendEntries(observed(tx, seen), group));
      expect(seen.map((text) => text.split(' ', 1)[0])).toEqual(['select', 'insert']);
      expect(await store.audit.verify()).toMatchObject({ entries: 5, broken: null });
    }));

  it('stays whole when many write at once', () =>
    withStore(async (store) => {
      const batches = ['a', 'b', null];
      await Promise.all(
        Array.from({ length: 30 }, (_, n) => store.audit.append(entry(`${n}`, batches[n % 3]))),
      );
      expect(await store.audit.verify()).toMatchObject({ entries: 32, broken: null });
    }));

  it('stays whole when two processes write two batches at once', async () => {
    const folder = temporaryFolder();
    const [one, other] = [await openTestStore(folder), await openTestStore(folder)];
    const writes = Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0
        ? one.audit.append(entry(`${n}`, 'a'))
        : other.audit.append(entry(`${n}`, n % 3 === 0 ? 'a' : 'b')),
    );
    await Promise.all(writes);
    expect(await one.audit.verify()).toMatchObject({ entries: 22, broken: null });
    expect(await one.audit.verify('a')).toMatchObject({ broken: null });
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
      expect(await seqs({ limit: 9, afterSeq: 2 })).toEqual([3, 4, 5, 6]);
      expect(await seqs({ limit: 9, without: ['head'] })).toEqual([1, 3, 5, 6]);
      expect(await seqs({ limit: 9, batchId: 'a' })).toEqual([1, 5]);
      expect(await seqs({ limit: 9, batchId: 'a', afterSeq: 1 })).toEqual([5]);
    }));

  it('has all entries of an action about a batch, in order', () =>
    withStore(async (store) => {
      const acts = [
        ['report', 'payroll'],
        ['end', 'payroll'],
        ['report', 'other'],
      ] as const;
      for (const [action, batchId] of [...acts, acts[0]]) {
        await store.audit.append(entry(action, batchId));
      }
      const found = await store.audit.ofAction('payroll', 'report');
      expect(found.map(({ action, batchId }) => [action, batchId])).toEqual([acts[0], acts[0]]);
      expect(found[0]?.seq).toBeLessThan(found[1]?.seq ?? 0);
      expect(await store.audit.ofAction('payroll', 'nothing')).toEqual([]);
    }));

  it('that is longer than a page is read to its end', () =>
    withStore(async (store) => {
      await Promise.all(Array.from({ length: 501 }, (_, n) => store.audit.append(entry(`${n}`))));
      expect(await store.audit.verify()).toMatchObject({ entries: 502, broken: null });
      await sql.raw("update audit set actor = 'eve' where seq = 502").execute(writableDb(store));
      expect((await store.audit.verify()).broken).toMatchObject({ seq: 502 });
    }));

  // Entry 2 is the head of the batch. Entries 1 and 3 to 6 are those of its chain.
  it.each<{ statement: string; seq: number }>`
    statement                                                                        | seq
    ${"update audit set actor = 'eve' where seq = 4"}                                | ${4}
    ${"update audit set action = 'act-9' where seq = 1"}                             | ${1}
    ${'update audit set at_ms = at_ms + 1 where seq = 6'}                            | ${6}
    ${'update audit set batch_id = null where seq = 3'}                              | ${3}
    ${"update audit set batch_id = 'other' where seq = 4"}                           | ${4}
    ${'update audit set n = 9 where seq = 6'}                                        | ${6}
    ${'update audit set n = null where seq = 6'}                                     | ${6}
    ${'update audit set detail_json = \'{"reason":"x"}\' where seq = 5'}             | ${5}
    ${"update audit set detail_json = 'no JSON' where seq = 5"}                      | ${5}
    ${"update audit set detail_json = '{ ' || substr(detail_json, 2) where seq = 5"} | ${5}
    ${"update audit set facts_json = '{}' where seq = 5"}                            | ${5}
    ${'delete from audit where seq = 3'}                                             | ${4}
    ${'delete from audit where seq = 1'}                                             | ${2}
    ${'delete from audit where seq = 2'}                                             | ${1}
    ${"delete from audit where batch_id = 'payroll'"}                                | ${2}
    ${'update audit set seq = 9 where seq = 6'}                                      | ${9}
    ${'update audit set seq = case seq when 3 then -2 else seq end'}                 | ${-2}
  `('shows that somebody did: $statement', async ({ statement, seq }) => {
    expect((await tampered(statement)).broken).toMatchObject({ seq });
  });

  it('shows that its end was cut off before the head that the store chain has last', () =>
    withStore(async (store) => {
      for (const action of ['take', 'send', 'end']) await store.audit.append(entry(action));
      await sql.raw("delete from audit where action = 'end'").execute(writableDb(store));
      const problem = expect.stringContaining('it names entry 3 of batch payroll');
      for (const batchId of [undefined, 'payroll']) {
        expect((await store.audit.verify(batchId)).broken).toEqual({ seq: 5, problem });
      }
    }));

  it('without entries after its last head is whole, and its end differs from the kept one', () =>
    withStore(async (store) => {
      for (const action of ['take', 'send']) await store.audit.append(entry(action));
      const kept = await store.audit.verify('payroll');
      await sql.raw("delete from audit where action = 'send'").execute(writableDb(store));
      const { broken, head } = await store.audit.verify('payroll');
      expect([kept.head.seq, broken, head.seq]).toEqual([3, null, 1]);
    }));

  it('of one batch is checked without the entries of others', () =>
    withStore(async (store) => {
      for (const batchId of ['a', 'b', 'a', 'b']) await store.audit.append(entry('act', batchId));
      const change = "update audit set actor = 'eve' where batch_id = 'b'";
      await sql.raw(change).execute(writableDb(store));
      expect((await store.audit.verify('a')).broken).toBeNull();
      expect((await store.audit.verify('b')).broken).toMatchObject({ seq: 3 });
      expect((await store.audit.verify()).broken).toMatchObject({ seq: 3 });
    }));

  it('returns the hashes of entries that are as they were written', () =>
    withStore(async (store) => {
      const heads = [];
      for (const action of ['a', 'b', 'c']) heads.push(await store.audit.append(entry(action)));
      await sql.raw("update audit set actor = 'eve' where action = 'b'").execute(writableDb(store));
      const [a, , c] = heads;
      const { hash } = (await store.audit.list({ afterSeq: 1, limit: 1 }))[0]!;
      expect([...(await store.audit.writtenHashes(1, 4))]).toEqual([
        ...[
          [a?.seq, a?.hash],
          [2, hash],
          [c?.seq, c?.hash],
        ],
      ]);
    }));
});

describeOnFiles('the log of a store from before chains of batches', () => {
  const continuedLog = async () => {
    const folder = temporaryFolder();
    const store = await openTestStore(folder);
    for (const batchId of ['a', null, 'b', 'a']) await store.audit.append(entry('old', batchId));
    await store.close();
    const old = await asFirstChain(folder);
    const again = await openTestStore(folder);
    return { again, old };
  };

  it('is whole as it is, and is closed by its next entry', async () => {
    const { again, old } = await continuedLog();
    expect(await again.audit.verify()).toEqual({ entries: 4, head: old, broken: null });
    expect(await again.audit.headOf('a')).toEqual(old);

    await again.audit.append(entry('new', 'a'));
    await again.audit.append(entry('new', 'c'));
    const [closing, first, , other] = await again.audit.list({ afterSeq: old.seq, limit: 9 });
    expect(closing).toMatchObject({
      seq: 5,
      n: 1,
      batchId: null,
      actor: 'Bursar',
      action: 'close-log',
      detail: old,
      previousHash: old.hash,
    });
    expect(first).toMatchObject({ batchId: 'a', n: 1, previousHash: closing?.hash });
    expect(other).toMatchObject({ batchId: 'c', n: 1, previousHash: closing?.hash });
    for (const batchId of [undefined, 'a', 'b', 'c']) {
      expect((await again.audit.verify(batchId)).broken).toBeNull();
    }
    await again.close();
  });

  it('is closed by one entry when two processes continue it at once', async () => {
    const folder = temporaryFolder();
    const store = await openTestStore(folder);
    await store.audit.append(entry('old', null));
    await store.close();
    await asFirstChain(folder);
    const [one, other] = [await openTestStore(folder), await openTestStore(folder)];
    await Promise.all([one.audit.append(entry('x', 'a')), other.audit.append(entry('y', 'b'))]);
    const actions = (await one.audit.list({ limit: 9 })).map(({ action }) => action);
    expect(actions.filter((action) => action === 'close-log')).toHaveLength(1);
    expect(await one.audit.verify()).toMatchObject({ entries: 6, broken: null });
    await one.close();
    await other.close();
  });

  it.each<{ statement: string; seq: number }>`
    statement                                         | seq
    ${"update audit set actor = 'eve' where seq = 2"} | ${2}
    ${'delete from audit where seq = 2'}              | ${3}
    ${'delete from audit where seq = 4'}              | ${5}
    ${'delete from audit where seq <= 4'}             | ${5}
    ${'delete from audit where seq = 5'}              | ${6}
    ${'update audit set n = 1 where seq = 4'}         | ${4}
  `('shows, once closed, that somebody did: $statement', async ({ statement, seq }) => {
    const { again } = await continuedLog();
    await again.audit.append(entry('new', 'a'));
    await sql.raw(statement).execute(writableDb(again));
    for (const batchId of [undefined, 'a']) {
      expect((await again.audit.verify(batchId)).broken).toMatchObject({ seq });
    }
    await again.close();
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
      const log = await store.audit.list({ batchId: 'payroll', limit: 9 });
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
      expect(await store.audit.verify()).toMatchObject({ entries: 5, broken: null });
    }));

  it('are not stored when the audit log cannot be, and the other way round', () =>
    withStore(async (store) => {
      for (const statement of NO_ENTRIES) await sql.raw(statement).execute(writableDb(store));
      await expect(store.approvals.add(approvalBy('bob'), NOW_MS)).rejects.toThrow('full');
      expect(await store.approvals.list('payroll')).toEqual([]);
    }));
});

import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { Verification } from '../../../src/domain/audit/verification.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import {
  BATCH,
  beginBatch,
  endBatch,
  openAt,
  type Place,
  placeIn,
  verifyAt,
} from './support/ended-batch.ts';
import { writableDb } from '../../../src/store/database/writable.ts';

let place: Place;
beforeEach(() => {
  place = placeIn(temporaryFolder());
});

const codesOf = ({ problems }: Verification): string[] => problems.map(({ code }) => code);

async function change(statement: string): Promise<void> {
  const store = await openAt(place);
  await sql.raw(statement).execute(writableDb(store));
  await store.close();
}

describe('verifying a batch', () => {
  it('that is open checks the existing data, and states that it has no report yet', async () => {
    await beginBatch(place);
    const found = await verifyAt(place);
    expect(found).toMatchObject({ result: 'PROVEN', state: null, problems: [] });
    expect(found.unchecked).toEqual([expect.stringContaining('has not ended')]);
    await change("update chunk set state = 'REJECTED', final = 1 where chunk = 2");
    expect(codesOf(await verifyAt(place))).toEqual(['RECORD_UNTOLD']);
  });

  it('finds no change in chunks that were closed before anything was sent', async () => {
    await beginBatch(place);
    const store = await openAt(place);
    await store.chunks.closeUnsent(BATCH, 'canceled');
    await store.close();
    expect(await verifyAt(place)).toMatchObject({ result: 'PROVEN', problems: [] });
  });

  it('that does not exist is refused', async () => {
    await expect(verifyAt(place)).rejects.toMatchObject({ code: 'BATCH_NOT_FOUND' });
  });

  it('that began before the log covered every record states that, and checks the columns in the log', async () => {
    await endBatch(place);
    await change("delete from audit where action <> 'approve'");
    await change(`update audit set seq = 1, facts_json = null`);
    const store = await openAt(place);
    const [approved] = await store.audit.list({ limit: 9 });
    await writableDb(store).deleteFrom('audit').execute();
    const { facts: _, ...entry } = approved!;
    await store.audit.append(entry);
    await store.close();
    const file = join(place.reportDir, 'report.json');
    const {
      audit: _a,
      files: _f,
      ...older
    } = JSON.parse(readFileSync(file, 'utf8')) as object & {
      audit: unknown;
      files: unknown;
    };
    writeFileSync(file, JSON.stringify(older));
    const found = await verifyAt(place);
    expect([found.result, codesOf(found)]).toEqual(['OLDER', []]);
    expect(found.unchecked).toEqual([
      expect.stringContaining('began before the audit log covered every record'),
      expect.stringContaining('before the audit log had hashes of files'),
    ]);
    rmSync(place.reportDir, { recursive: true });
    const gone = await verifyAt(place);
    expect([gone.result, codesOf(gone)]).toEqual(['TAMPERED', ['REPORT_GONE']]);
    await change("update audit set actor = 'eve'");
    expect(codesOf(await verifyAt(place))).toContain('AUDIT_BROKEN');
  });

  it('whose log was rewritten fails at the audit mark that a person kept', async () => {
    await endBatch(place);
    const { head } = await verifyAt(place);
    expect((await verifyAt(place, head)).result).toBe('PROVEN');
    const other = { ...head, hash: '0'.repeat(64) };
    expect(codesOf(await verifyAt(place, other))).toEqual(['AUDIT_OTHER']);
    const later = { ...head, entries: head.entries + 2 };
    expect(codesOf(await verifyAt(place, later))).toEqual(['AUDIT_CUT']);
  });

  it('finds an older version of the report in place of the newest', async () => {
    await endBatch(place);
    const older = join(place.reportDir, 'versions', '1');
    cpSync(older, place.reportDir, { recursive: true, force: true });
    expect(codesOf(await verifyAt(place))).toContain('REPORT_DIFFERS');
  });

  it.each([
    ['report.json', 'null'],
    ['report.json', '[]'],
    ['report.json', '{"audit":1,"revision":[],"rows":"x"}'],
    ['report.json', `{"audit":null,"rows":${'['.repeat(50_000)}${']'.repeat(50_000)},"amounts":1}`],
    ['report.csv', `row,address\n"${'x\n'.repeat(1_000_000)}`],
    ['report.csv', '\0'.repeat(2_000_000)],
  ])('reports a malicious %s as changed', async (name, content) => {
    await endBatch(place);
    writeFileSync(join(place.reportDir, name), content);
    const found = await verifyAt(place);
    expect(found.result).toBe('TAMPERED');
    expect(codesOf(found)).toContain('REPORT_FILE_CHANGED');
  });

  it('accepts a copy of the report elsewhere', async () => {
    await endBatch(place);
    const reportDir = join(place.folder, 'archive');
    cpSync(place.reportDir, reportDir, { recursive: true });
    expect((await verifyAt({ ...place, reportDir })).result).toBe('PROVEN');
  });

  it('reports a text that cannot be read, and stops', async () => {
    await endBatch(place);
    await change("update chunk set default_reason = cast(x'e1' as text) where chunk = 1");
    const found = await verifyAt(place);
    expect([codesOf(found), found.checked]).toEqual([['TEXT_UNREADABLE'], []]);
    expect(found.problems[0]?.what).toContain('chunk.default_reason');
  });

  it('counts all problems, and lists at most a hundred', async () => {
    await endBatch(place);
    const store = await openAt(place);
    const entry = { atMs: 1, batchId: BATCH, actor: 'a', action: 'b', detail: {} };
    await Promise.all(Array.from({ length: 150 }, () => store.audit.append(entry)));
    await store.close();
    await change("update audit set actor = 'eve' where action = 'b'");
    const { problems, problemCount } = await verifyAt(place);
    expect([problems.length, problemCount]).toEqual([100, 150]);
  });
});

it('a send is not stored when its audit entry cannot be stored', async () => {
  await beginBatch(place);
  await change("create trigger stop before insert on audit begin select raise(abort, 'full'); end");
  const store = await openAt(place);
  const { idempotencyKey } = await store.chunks.get(BATCH, 2);
  const ref = { batchId: BATCH, chunk: 2, idempotencyKey };
  const intent = { payload: '{}', payloadSha256: 'p' };
  const attempt = { n: 1, timestampMs: 1, bodySha256: 'b', intent };
  await expect(store.sends.beginAttempt(ref, attempt)).rejects.toThrow('full');
  expect((await store.sends.record(ref)).attempts).toEqual([]);
  await store.close();
});

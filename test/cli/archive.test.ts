import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { sha256Hex } from '../../src/domain/sending/identity.ts';
import { writableDb } from '../../src/store/database/writable.ts';
import {
  BATCH,
  beginBatch,
  endBatch,
  openAt,
  type Place,
  placeIn,
} from '../report/verify/support/ended-batch.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fakeWorld } from './support/fake-world.ts';

const worldIn = ({ folder }: Place) => {
  const world = fakeWorld({
    cwd: folder,
    env: {
      BURSAR_STORE_URL: `sqlite:${join(folder, 'store.db')}`,
      BURSAR_BLOB_URL: `file:${join(folder, 'blobs')}`,
    },
  });
  world.engine.isDown = true;
  return world;
};

async function worldWith(pay: (place: Place) => Promise<void> = endBatch) {
  const place = placeIn(temporaryFolder());
  await pay(place);
  return { place, world: worldIn(place) };
}

/** An archive, and a world that has nothing else. */
async function archived() {
  const { place, world } = await worldWith();
  const out = temporaryFolder();
  const { code } = await world.run('archive', BATCH, '--out', out);
  expect(code).toBe(0);
  const other = placeIn(temporaryFolder());
  return { folder: join(out, BATCH), out, place, world, elsewhere: worldIn(other), other };
}

describe('bursar archive', () => {
  it('copies the file, the newest report and the log, with the hash of each', async () => {
    const { place, world } = await worldWith();
    const { code, value } = await world.json('archive', BATCH, '--out', 'kept');
    expect([code, value['schema'], value['folder']]).toEqual([0, 'bursar.archive/v1', BATCH]);
    const folder = join(place.folder, 'kept', BATCH);
    const files = value['files'] as Record<string, string>;
    const names = Object.keys(files);
    expect(names).toEqual(
      expect.arrayContaining(['submitted-file', 'audit.jsonl', 'report.csv', 'report.json']),
    );
    expect(readdirSync(folder).toSorted()).toEqual([...names, 'manifest.json'].toSorted());
    for (const name of names) {
      expect(sha256Hex(readFileSync(join(folder, name), 'utf8'))).toBe(files[name]);
    }
  });

  it('may be given again, and an archive of the same batch never changes', async () => {
    const { out, place, world } = await archived();
    expect((await world.run('archive', BATCH, '--out', out)).code).toBe(0);
    const store = await openAt(place);
    await store.audit.append({
      ...{ atMs: 1, batchId: BATCH, actor: 'zoe', action: 'resume-rejected', detail: {} },
    });
    await store.close();
    const { code, err } = await world.run('archive', BATCH, '--out', out);
    expect(code).not.toBe(0);
    expect(err).toContain('PUBLISHED_ALREADY');
  });

  it('refuses a batch that has not ended, and one that verify does not prove', async () => {
    const open = await worldWith(beginBatch);
    expect((await open.world.run('archive', BATCH, '--out', 'kept')).err).toContain('BATCH_OPEN');
    const { place, world } = await worldWith();
    const store = await openAt(place);
    await writableDb(store).updateTable('hold').set({ held_by: 'eve' }).execute();
    await store.close();
    const { code, err } = await world.run('archive', BATCH, '--out', 'kept');
    expect(code).toBe(15);
    expect(err).toContain('ARCHIVE_UNPROVEN');
  });

  it('refuses a place that is no folder and no bucket', async () => {
    const { world } = await worldWith();
    const { code, err } = await world.run('archive', BATCH, '--out', 's3://ann:hush@bucket');
    expect(code).toBe(2);
    expect(err).toContain('--out');
  });
});

describe('bursar verify --archive', () => {
  it('proves a batch without its store', async () => {
    const { out, elsewhere, other } = await archived();
    const { code, out: text } = await elsewhere.run('verify', BATCH, '--archive', out);
    expect(code).toBe(0);
    expect(text).toContain(`Archive of batch ${BATCH}: PROVEN, everything is as it was archived.`);
    expect(readdirSync(other.folder)).toEqual([]);
    const [, head = ''] = /kept elsewhere: (.+)$/m.exec(text) ?? [];
    const again = await elsewhere.json('verify', BATCH, '--archive', out, '--head', head);
    expect(again.value).toMatchObject({ schema: 'bursar.archive-check/v1', result: 'PROVEN' });
  });

  it.each<[string, string, (text: string) => string, string]>([
    ['a row of the file', 'submitted-file', (text) => `${text}more`, 'FILE_COPY_CHANGED'],
    ['a line of the report', 'report.csv', (text) => text.slice(1), 'REPORT_FILE_CHANGED'],
    [
      'an entry of the log',
      'audit.jsonl',
      (text) => text.replace('"by":"zoe"', '"by":"eve"').replace('zoe', 'eve'),
      'AUDIT_BROKEN',
    ],
    [
      'the log, which lacks an entry',
      'audit.jsonl',
      (text) => text.split('\n').toSpliced(3, 1).join('\n'),
      'AUDIT_BROKEN',
    ],
    ['the log, which is no log', 'audit.jsonl', () => '{"a"\n', 'RECORD_UNREADABLE'],
  ])('finds %s that was changed together with the manifest', async (_, name, change, code) => {
    const { folder, out, elsewhere } = await archived();
    const path = join(folder, name);
    const text = change(readFileSync(path, 'utf8'));
    writeFileSync(path, text);
    const manifest = join(folder, 'manifest.json');
    const hashes = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, string>;
    writeFileSync(manifest, JSON.stringify({ ...hashes, [name]: sha256Hex(text) }));
    const { code: exit, value } = await elsewhere.json('verify', BATCH, '--archive', out);
    expect([exit, value['result']]).toEqual([15, 'TAMPERED']);
    const problems = value['problems'] as Readonly<{ code: string }>[];
    expect(problems.map((one) => one.code)).toContain(code);
  });

  it.each([
    ['report.csv', 'REPORT_FILE_GONE'],
    ['submitted-file', 'FILE_COPY_GONE'],
  ])('finds that %s is gone', async (name, code) => {
    const { folder, out, elsewhere } = await archived();
    rmSync(join(folder, name));
    const { err, out: text, code: exit } = await elsewhere.run('verify', BATCH, '--archive', out);
    expect(exit).toBe(15);
    expect(text + err).toContain(code);
  });

  it('finds a log that is not the one of which an entry was kept', async () => {
    const { out, elsewhere } = await archived();
    const verify = (head: string) =>
      elsewhere.run('verify', BATCH, '--archive', out, '--head', head);
    expect((await verify(`3:${'0'.repeat(64)}`)).out).toContain('AUDIT_OTHER');
    expect((await verify(`999:${'0'.repeat(64)}`)).out).toContain('AUDIT_CUT');
  });

  it('finds no archive where there is none', async () => {
    const { world } = await worldWith();
    const { code, err } = await world.run('verify', BATCH, '--archive', 'nothing');
    expect(code).not.toBe(0);
    expect(err).toContain('PUBLISHED_MISSING');
  });
});

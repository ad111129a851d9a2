import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { BatchResult } from '../../../src/contract/batch.ts';
import { newestReport, reportPrefix } from '../../../src/domain/report/written-report.ts';
import type { Files, PublishedFile } from '../../../src/files/index.ts';
import { writtenReports } from '../../../src/report/shared-report.ts';
import { BUCKET_URL, bucketIn } from '../../support/bucket.ts';
import { textOf } from '../../support/text-of.ts';
import {
  type LineageWorld,
  lineageWorld,
  named,
  partialWorld,
  recordOf,
  ROOT,
  rowsOf,
} from '../support/lineage-world.ts';

let world: LineageWorld;
afterEach(() => world.store.close());

const prefixOf = ({ reportUrl }: BatchResult): string =>
  (reportUrl ?? '').slice(`${BUCKET_URL}/`.length);

const readPublished = async (prefix: string, name: string): Promise<string> =>
  textOf(await world.deps.blobs.openPublished(prefix, name));

const readLocal = (name: string): string => readFileSync(join(world.reportDir, ROOT, name), 'utf8');

async function paidWorld(blobsIn: (folder: string) => Files): Promise<LineageWorld> {
  const made = await lineageWorld({ blobsIn });
  await made.root(rowsOf(6));
  await made.pay(ROOT);
  return made;
}

/** A bucket whose connection breaks in the middle of the first publication. */
function brokenOnce(folder: string): Files {
  const files = bucketIn(folder);
  const broken = (set: readonly PublishedFile[]) =>
    set.map((file, n) => (n === 0 ? file : { ...file, read: lost }));
  let tries = 0;
  return {
    ...files,
    publish(prefix, set) {
      tries += 1;
      return files.publish(prefix, tries === 1 ? broken(set) : set);
    },
  };
}

async function* lost(): AsyncGenerator<Buffer> {
  yield Buffer.from('half');
  throw new Error('the connection broke');
}

describe('the report of a batch, where files are in a bucket', () => {
  it('is published there, and its result has the address', async () => {
    world = await paidWorld(bucketIn);
    const result = await world.end(ROOT);
    expect(result.reportUrl).toMatch(/^s3:\/\/payouts\/files\/reports\/payroll\/v1-[0-9a-f]{16}$/);
    for (const name of ['report.json', 'report.csv', 'summary.html']) {
      expect(await readPublished(prefixOf(result), name)).toBe(readLocal(name));
    }
  });

  it('names no folder of the machine that wrote it', async () => {
    world = await paidWorld(bucketIn);
    const result = await world.end(ROOT);
    expect(JSON.stringify(result)).not.toContain(world.reportDir);
    expect(readLocal('report.json')).not.toContain(world.reportDir);
    expect(readLocal('summary.html')).not.toContain(world.reportDir);
  });

  it('is whole after a worker was lost while it published: the next try publishes another one of that version', async () => {
    world = await paidWorld(brokenOnce);
    await expect(world.end(ROOT)).rejects.toThrow('the connection broke');
    expect((await world.store.batches.find(ROOT))?.endState).toBeNull();
    const result = await world.end(ROOT);
    expect((await world.store.batches.find(ROOT))?.endState).toBe('COMPLETED');
    const all = await writtenReports(world.store, ROOT);
    const newest = newestReport(all);
    expect(all.map(({ version }) => version)).toEqual([1, 1]);
    expect(prefixOf(result)).toBe(newest && reportPrefix(ROOT, newest));
    for (const name of Object.keys(newest?.files ?? {})) {
      expect(await readPublished(prefixOf(result), name)).toBe(readLocal(name));
    }
  });

  it('has each version there, also when other workers write the later ones', async () => {
    world = await partialWorld({ blobsIn: bucketIn });
    const reportDir = join(world.reportDir, '..', 'other');
    Object.assign(world.deps, { reportDir });
    world.service.say('payroll-0', {
      state: 'COMPLETED',
      withdrawalErrors: [named(3, true), named(4, true)],
    });
    for (const row of [3, 4]) {
      world.service.records.set(`w${row}`, recordOf(ROOT, row, 'COMPLETED'));
    }
    expect(await world.follow()).toMatchObject({ version: 2 });
    const versions: unknown[] = [];
    for (const written of await writtenReports(world.store, ROOT)) {
      const text = await readPublished(reportPrefix(ROOT, written), 'report.json');
      versions.push((JSON.parse(text) as { revision: { version: number } }).revision.version);
    }
    expect(versions).toEqual([1, 2]);
    expect(existsSync(join(reportDir, ROOT, 'report.json'))).toBe(true);
    // This worker never had version 1, so it keeps no copy of it.
    expect(existsSync(join(reportDir, ROOT, 'versions'))).toBe(false);
  });
});

describe('the report of a batch, where files are in a folder', () => {
  it('is in the folder of reports alone, whose address its result has', async () => {
    world = await lineageWorld();
    await world.root(rowsOf(6));
    await world.pay(ROOT);
    const { reportUrl } = await world.end(ROOT);
    expect(reportUrl).toBe(pathToFileURL(join(world.reportDir, ROOT)).href);
    for await (const { path } of world.deps.blobs.list('reports/payroll')) {
      throw new Error(`found ${path}`);
    }
  });
});

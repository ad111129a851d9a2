import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import Database from 'libsql';
import { sampleRows, writeSample } from '../support/sample-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { copyStore } from '../support/store-copy.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(180_000);

let stack: TestStack | undefined;
afterEach(async () => stack?.stop({ isTampered: true }));

type Verified = Readonly<{
  result: string;
  head: { entries: number; hash: string };
  problems: readonly { code: string }[];
  checked: readonly { what: string; count: number }[];
}>;

const codesOf = ({ problems }: Verified): string[] => problems.map(({ code }) => code);

describe('a batch of which rows failed, and its resend', () => {
  it('are proven without Temporal and the service, and a changed record is found', async () => {
    const folder = temporaryFolder();
    const playing = await startTestStack({ folder });
    stack = playing;
    const { batchId } = playing;
    const file = join(folder, 'payroll.csv');
    writeSample(file, sampleRows({ rows: 40, failEvery: 10 }));
    expect((await playing.json('submit', file, '--id', batchId, '--yes')).code).toBe(10);
    const resend = ['resend', batchId, '--confirm-not-paid-elsewhere', '--yes'];
    const { value } = await playing.json(...resend);
    const resendId = String(value['batchId']);
    for (const name of ['worker', 'sandbox', 'bridge'] as const) await playing.stopOne(name);

    const alone = { TEMPORAL_ADDRESS: '127.0.0.1:1', BURSAR_API_BASE_URL: 'http://127.0.0.1:1' };
    const verify = async (id: string, more: readonly string[] = [], env = {}) => {
      const args = ['verify', id, ...more, '-o', 'json'];
      const { code, out } = await playing.bursarWith({ ...alone, ...env }, ...args);
      return { code, found: JSON.parse(out) as Verified };
    };
    const parent = await verify(batchId);
    expect([codesOf(parent.found), parent.code, parent.found.result]).toEqual([[], 0, 'PROVEN']);
    const child = await verify(resendId);
    expect([codesOf(child.found), child.code, child.found.result]).toEqual([[], 0, 'PROVEN']);
    expect(parent.found.checked).toContainEqual({ what: 'rows counted again', count: 40 });

    const report = JSON.parse(
      readFileSync(join(folder, 'runs', batchId, 'report.json'), 'utf8'),
    ) as { audit: { entries: number; hash: string } };
    const page = readFileSync(join(folder, 'runs', batchId, 'summary.html'), 'utf8');
    expect(page).toContain(`${report.audit.entries}:${report.audit.hash}`);

    const kept = `${parent.found.head.entries}:${parent.found.head.hash}`;
    const changed = async (statement: string): Promise<[number, string[]]> => {
      const copy = copyStore(folder);
      const store = new Database(copy);
      store.exec(statement);
      store.close();
      const env = { BURSAR_STORE_URL: `sqlite:${copy}` };
      const { code, found } = await verify(batchId, ['--head', kept], env);
      return [code, codesOf(found)];
    };
    expect(await changed('select 1')).toEqual([0, []]);
    const own = `batch_id = '${batchId}'`;
    expect(await changed(`update row_outcome set outcome = 'PAID' where ${own}`)).toEqual([
      15,
      expect.arrayContaining(['RECORD_CHANGED', 'REPORT_DIFFERS']),
    ]);
    expect(await changed(`update audit set actor = 'eve' where seq = 2`)).toEqual([
      15,
      expect.arrayContaining(['AUDIT_BROKEN']),
    ]);
    const last = parent.found.head.entries;
    expect(await changed(`delete from audit where seq = ${last}`)).toEqual([
      15,
      expect.arrayContaining(['AUDIT_CUT']),
    ]);

    appendFileSync(join(folder, 'runs', batchId, 'resend.csv'), 'TAddress,1,USDT_TRC20,,\n');
    const sheet = await verify(batchId);
    expect([sheet.code, codesOf(sheet.found)]).toEqual([15, ['REPORT_FILE_STRANGE']]);
  });
});

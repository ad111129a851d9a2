import { spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { openCodec } from '../../src/codec/temporal-access.ts';
import { type Canary, canariesBelow, canariesIn, watchCommandLines } from '../support/canaries.ts';
import { attributeOf } from '../support/span-collector.ts';
import { BATCH, type CanaryRun, playCanaries, SECRETS } from '../support/canary-run.ts';
import { readReport } from '../support/oracle.ts';
import { rawOf } from '../support/raw-history.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

jest.setTimeout(600_000);

let run: CanaryRun;
let connection: Connection;
/** Secrets and rows. */
let all: readonly Canary[];

beforeAll(async () => {
  run = await playCanaries(sharedFolder());
  all = [...run.secrets, ...run.personal];
  connection = await Connection.connect({ address: run.temporalAddress });
});
afterAll(async () => {
  await connection?.close();
  await run?.stop();
});

const itWithProcesses = existsSync('/proc') ? it : it.skip;

/** All that Temporal keeps of every workflow, and how each payload reads for whoever has the keys. */
async function readHistories(): Promise<{ id: string; text: string }[]> {
  const codec = openCodec(join(run.folder, 'key-ring'), 'default');
  const { workflow } = new Client({ connection, dataConverter: { payloadCodecs: [codec] } });
  const read: { id: string; text: string }[] = [];
  for await (const { workflowId: id } of workflow.list()) {
    const { payloads, text } = rawOf(await workflow.getHandle(id).fetchHistory());
    const decoded = await codec.decode([...payloads]);
    const texts = decoded.map(({ data }) => Buffer.from(data ?? []).toString('utf8'));
    read.push({ id, text: [text, ...texts].join('\n') });
  }
  return read;
}

describe('after a batch in which all goes wrong', () => {
  it('the run was hard, and had canaries', () => {
    expect(all.filter(({ forms }) => forms.length === 0)).toEqual([]);
    const { rows } = readReport(join(run.folder, 'runs', BATCH));
    expect(rows.total).toBe(8);
    expect(rows.failed).toBeGreaterThan(0);
    expect(run.logs.map((log) => log.length > 0)).toEqual([true, true, true, true, true]);
    expect(run.logs.join()).toContain('refused: a wrong token');
    expect(run.notifications.length).toBeGreaterThan(0);
    const said = new Map(run.printed.map(({ name, out, err }) => [name, out + err]));
    expect(said.get('status')).toContain(BATCH);
    expect(said.get('open secret')).toContain('SECRET_FILE_OPEN');
    expect(run.printed.find(({ name }) => name === 'wrong secret')?.code).toBe(4);
    const refused = run.printed.filter(({ name }) => /^BURSAR_.* list$/.test(name));
    expect(refused.map(({ code }) => code)).toEqual(refused.map(() => 2));
    expect(said.get('TEMPORAL_ADDRESS list')).toContain('cannot be reached');
    expect(said.get('TEMPORAL_ADDRESS list')).toContain('***@');
  });

  it('no log holds a secret or a row', () => {
    for (const log of run.logs) expect(canariesIn(all, log)).toEqual([]);
  });

  it('no metric holds a secret or a row', () => {
    for (const text of run.metrics) expect(text).toContain('bursar_event_loop_delay_seconds');
    expect(run.metrics.join()).toContain('bursar_create_seconds_count');
    for (const text of run.metrics) expect(canariesIn(all, text)).toEqual([]);
  });

  it('no span holds a secret or a row', () => {
    expect(run.spanRequests.length).toBeGreaterThan(2);
    for (const request of run.spanRequests) expect(canariesIn(all, request)).toEqual([]);
  });

  it('the span of a refused create and the log name its chunk and the traceId of the service', () => {
    const traced = run.spans.filter((span) => attributeOf(span, 'traceId') !== undefined);
    const refused = traced.find(({ name }) => name === 'create');
    const traceId = String(refused && attributeOf(refused, 'traceId'));
    const chunk = Number(refused && attributeOf(refused, 'chunk'));
    const lines = run.logs
      .join('\n')
      .split('\n')
      .filter((line) => line.includes(traceId));
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({ batchId: BATCH, chunk, traceId, msg: 'a create was not accepted' }),
    );
  });

  it('no command prints a secret, and only "submit" prints rows, for its findings', () => {
    for (const { name, out, err } of run.printed) {
      const canaries = name === 'submit' ? run.secrets : all;
      expect([name, canariesIn(canaries, out + err)]).toEqual([name, []]);
    }
  });

  it('no history holds a secret or a row, even decrypted', async () => {
    const histories = new Map((await readHistories()).map(({ id, text }) => [id, text]));
    expect(histories.get(`batch/${BATCH}`)).toContain('"sha256"');
    expect(histories.has(`batch/${BATCH}/p0`)).toBe(true);
    for (const text of histories.values()) expect(canariesIn(all, text)).toEqual([]);
  });

  it('no notification holds a secret or a row', () => {
    for (const { path, body, headers } of run.notifications) {
      expect(canariesIn(all, path + body + JSON.stringify(headers))).toEqual([]);
    }
  });

  itWithProcesses('no process was ever started with a secret or a row', () => {
    expect(run.commandLines.some((line) => line.includes('worker.js'))).toBe(true);
    for (const line of run.commandLines) expect(canariesIn(all, line)).toEqual([]);
  });

  it('each secret is in its own file and nowhere else; the sandbox, which is the service, has its own', () => {
    const places = canariesBelow(run.secrets, run.folder);
    expect(places.filter((place) => !place.startsWith('sandbox.db'))).toEqual([
      'api-secret: apiSecret',
      'bridge-token: bridgeToken',
      'codec-token: codecToken',
      'key-ring: ringKey',
      'notify-key: notifyKey',
      'webhook-secret: webhookSecret',
      'wrong-secret: wrongSecret',
    ]);
  });

  it('rows are in the file, its copy, store, spool and reports, and nowhere else', () => {
    const tops = canariesBelow(run.personal, run.folder).map((place) =>
      place.replace(/(-wal|-shm)?[:/].*/, ''),
    );
    expect([...new Set(tops)].sort()).toEqual([
      ...['blobs', 'payroll.csv', 'runs', 'sandbox.db', 'store-spool.db', 'store.db'],
    ]);
  });
});

describe('the scan', () => {
  it('finds a secret in a file, however it is written', () => {
    const planted = join(run.folder, 'planted.log');
    for (const { name, forms } of run.secrets) {
      expect(forms.length).toBeGreaterThan(2);
      for (const form of forms) {
        writeFileSync(planted, `\0\xff${form}\n`);
        expect(canariesBelow(run.secrets, run.folder)).toContain(`planted.log: ${name}`);
      }
    }
    rmSync(planted);
  });

  it('finds an address in a history, and in the database of Temporal', async () => {
    const { workflow } = new Client({ connection, dataConverter: {} });
    const planted = { workflowId: 'planted', taskQueue: 'nobody', args: [run.someAddress] };
    const handle = await workflow.start('planted', planted);
    const found = (await readHistories()).find(({ id }) => id === 'planted');
    expect(canariesIn(run.personal, found?.text ?? '')).toEqual(['address 0']);
    expect(canariesBelow(run.personal, run.folder).join()).toMatch(
      /temporal\.db(-wal)?: address 0/,
    );
    await handle.terminate();
  });

  itWithProcesses('finds a secret among the arguments of a process', async () => {
    const watched = watchCommandLines();
    const args = ['-e', 'setInterval(() => {}, 1000)', SECRETS.apiSecret];
    const child = spawn(process.execPath, args);
    await new Promise((resolve) => child.once('spawn', resolve));
    const lines = watched.stop();
    child.kill();
    expect(lines.flatMap((line) => canariesIn(run.secrets, line))).toContain('apiSecret');
  });
});

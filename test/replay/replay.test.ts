import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import proto from '@temporalio/proto';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import * as contractNames from '../../src/contract/names.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { buildUrl } from '../support/child.ts';

/*
 * What workers of today do with the histories of batches that are under way: the same again, or a batch would stand still.
 * `npm run histories` records new ones; who changes workflows on purpose must know what that does to batches that run.
 */
const FOLDER = fileURLToPath(new URL('histories', import.meta.url));
const BUNDLE = fileURLToPath(buildUrl('workflow-bundle.js'));

type Recorded = Readonly<{ workflowId: string; history: proto.temporal.api.history.v1.History }>;

let recorded: Recorded[];
let texts: string;

beforeAll(() => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const files = readdirSync(FOLDER).map((name) => {
    const bytes = gunzipSync(readFileSync(join(FOLDER, name)));
    return { name, bytes };
  });
  texts = files.map(({ bytes }) => bytes.toString('latin1')).join('\n');
  recorded = files.map(({ name, bytes }) => ({
    workflowId: name,
    history: proto.temporal.api.history.v1.History.decode(bytes),
  }));
});
afterAll(() => Runtime.instance().shutdown());

/** The histories that this bundle does not do again, one after the other. */
async function* strayed(codePath: string): AsyncGenerator<string> {
  const results = Worker.runReplayHistories({ workflowBundle: { codePath } }, recorded);
  for await (const { workflowId, error } of results) if (error) yield workflowId;
}

async function allStrayed(codePath: string): Promise<string[]> {
  const found: string[] = [];
  for await (const workflowId of strayed(codePath)) found.push(workflowId);
  return found;
}

async function isAnyStrayed(codePath: string): Promise<boolean> {
  for await (const _ of strayed(codePath)) return true;
  return false;
}

it('present workers repeat every recorded history', async () => {
  expect(recorded.length).toBeGreaterThan(20);
  expect(await allStrayed(BUNDLE)).toEqual([]);
});

it('the histories show every workflow, signal and update of the contract', () => {
  const words = Object.entries(contractNames).flatMap(([name, value]) =>
    /^(WORKFLOW|SIGNAL|UPDATE)_/.test(name) && typeof value === 'string' ? [value] : [],
  );
  expect(words.length).toBeGreaterThan(5);
  expect(words.filter((word) => !texts.includes(word))).toEqual([]);
});

it('the histories hold nothing about the machine that recorded them', () => {
  expect(texts).toContain('/srv/bursar/');
  expect(texts).not.toMatch(/bursar tests? |\/process \d|\/tmp\//);
});

it('the histories show how a batch is found again, and how a run goes on in the next', () => {
  const words = ['findBatch', 'releaseHold'];
  expect(words.filter((word) => !texts.includes(word))).toEqual([]);
  const nextRuns = recorded.filter(
    ({ history: { events } }) =>
      events[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId,
  );
  expect(nextRuns).not.toEqual([]);
});

/** Changes that would break batches that are under way: each is a text of the bundle, and what takes its place. */
const CHANGES: readonly (readonly [what: string, from: RegExp, to: string])[] = [
  [
    'a batch makes its plan before its file is read',
    /\.ingestFile\)\(input\)/,
    '.planBatch)(input)',
  ],
  ['a batch does not quote fees', /await askFees\(run\)/, 'undefined'],
  [
    'a batch is let go twice',
    /const released = (await \(0,[^;]*\.releaseBatch\)\(\{ batchId \}\));/,
    'await $1; const released = $1;',
  ],
  [
    'no workflow follows a batch after its report',
    /await \(0,[^;]*\.startAftercare\)\(input\);/,
    '',
  ],
  ['a partition ends without a last read', /await isWrittenDown\(run\)/, 'true'],
  [
    'the file of a scheduled run is looked for twice',
    /const taken = await (keep\(\(\) => \(0,[^;]*\.takeFile\)\(\{ \.\.\.run, demand \}\)\));/,
    'await $1; const taken = await $1;',
  ],
];

it.each(CHANGES)('is noticed when %s', async (_what, from, to) => {
  const code = readFileSync(BUNDLE, 'utf8');
  expect(code).toMatch(from);
  const changed = join(sharedFolder(), 'changed-bundle.js');
  writeFileSync(changed, code.replace(from, to));
  expect(await isAnyStrayed(changed)).toBe(true);
});

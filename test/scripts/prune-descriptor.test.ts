import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
// @ts-expect-error scripts run before anything is compiled, so they are JavaScript without types.
import * as descriptor from '../../scripts/prune-descriptor.mjs';
import { buildUrl } from '../support/child.ts';

const { checkNames, prune, readSources, wholeDescriptor } = descriptor;

type Message = Readonly<{
  decode(bytes: Uint8Array): object;
  encode(message: object): { finish(): Uint8Array };
  toObject(message: object, options: object): object;
  toJSON(): object;
}>;
type Root = Readonly<{
  lookup(path: string): Readonly<{ methods?: object }> | null;
  lookupType(path: string): Message;
  constructor: { fromJSON(json: object): Root };
}>;

const HISTORIES = fileURLToPath(new URL('../replay/histories', import.meta.url));
const HISTORY = 'temporal.api.history.v1.History';
const CALLS = 'temporal.api.workflowservice.v1.WorkflowService';

const whole: Root = wholeDescriptor();
const prunedBy = (sources: readonly string[]): Root =>
  whole.constructor.fromJSON({ nested: prune(whole, sources) });
const pruned = prunedBy(readSources([fileURLToPath(buildUrl('src'))]));
const callsOf = (root: Root): string[] => Object.keys(root.lookup(CALLS)?.methods ?? {});

describe('the descriptor that commands load', () => {
  it('decodes each recorded history as the whole one does, and encodes it to the same bytes', () => {
    const names = readdirSync(HISTORIES);
    expect(names).not.toEqual([]);
    const [short, long] = [pruned, whole].map((root) => root.lookupType(HISTORY)) as [
      Message,
      Message,
    ];
    for (const name of names) {
      const bytes = gunzipSync(readFileSync(join(HISTORIES, name)));
      const [read, expected] = [short.decode(bytes), long.decode(bytes)];
      expect(short.toObject(read, { bytes: String })).toEqual(
        long.toObject(expected, { bytes: String }),
      );
      expect(Buffer.from(short.encode(read).finish())).toEqual(
        Buffer.from(long.encode(expected).finish()),
      );
    }
  });

  it('has the calls that commands make, and leaves others out', () => {
    expect(callsOf(pruned)).toEqual(
      expect.arrayContaining([
        'StartWorkflowExecution',
        'DescribeWorkflowExecution',
        'ListWorkflowExecutions',
        'QueryWorkflow',
        'UpdateWorkflowExecution',
        'CreateSchedule',
        'DescribeTaskQueue',
      ]),
    );
    expect(callsOf(whole)).toContain('PollWorkflowTaskQueue');
    expect(callsOf(pruned)).not.toContain('PollWorkflowTaskQueue');
    expect(pruned.lookup('temporal.api.cloud.cloudservice.v1.CloudService')).toBeNull();
  });

  it('keeps every field of a message, and each message that a field has', () => {
    const sources = ['temporal.api.common.v1.Memo'];
    const [memo, payload] = ['Memo', 'Payload'].map((name) => `temporal.api.common.v1.${name}`);
    for (const name of [memo, payload] as [string, string]) {
      expect(prunedBy(sources).lookupType(name).toJSON()).toEqual(whole.lookupType(name).toJSON());
    }
  });

  it.each([
    ['a message', 'temporal.api.common.v1.Memo.decode(bytes)', 'temporal.api.common.v1.Memo'],
    ['a call', 'await client.workflowService.queryWorkflow(asked)', 'queryWorkflow'],
  ])('stops the build when %s is missing that a source names', (_, source, missing) => {
    expect(() => checkNames(whole, prunedBy([]), [source])).toThrow(missing);
    expect(() => checkNames(whole, pruned, [source])).not.toThrow();
  });
});

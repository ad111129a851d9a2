import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { BursarError } from '../../src/domain/errors/bursar-error.ts';
import { sdkLines } from '../../src/monitoring/log.ts';

function logged(line: Parameters<ReturnType<typeof sdkLines>>[0]) {
  const lines: unknown[] = [];
  const write = (level: string) => (facts: object, message: string) =>
    void lines.push({ level, message, ...facts });
  sdkLines({
    trace: write('trace'),
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  })(line);
  return lines;
}

describe('a line of the SDK', () => {
  it('keeps its level, and names the batch and the chunk', () => {
    const meta = { workflowId: 'batch/payroll/p0', activityType: 'sendChunks', chunk: 7 };
    expect(logged({ level: 'WARN', message: 'slow', meta })).toEqual([
      {
        level: 'warn',
        message: 'slow',
        workflowId: 'batch/payroll/p0',
        activityType: 'sendChunks',
        batchId: 'payroll',
        chunk: 7,
      },
    ]);
  });

  it('brings the reason of a failure, without a password', () => {
    const error = new Error('no answer of https://ann:canary@host/x');
    error.stack = `Error: ${error.message}`;
    const [line] = logged({ level: 'ERROR', message: 'failed', meta: { error } });
    expect(line).toMatchObject({ reason: 'Error: no answer of https://***@host/x' });
  });

  it.each([
    ['an activity', ApplicationFailure.create({ message: 'x', type: 'STORE_BUSY' })],
    ['the store', new BursarError('STORE_BUSY', { url: 'sqlite:a.db' })],
  ])('names the code of a failure of %s', (_, error) => {
    const [line] = logged({ level: 'WARN', message: 'failed', meta: { error } });
    expect(line).toMatchObject({ code: 'STORE_BUSY' });
  });

  it('brings nothing else that the SDK attaches', () => {
    const meta = { taskToken: 'canary', input: [{ address: 'canary' }], [Symbol('x')]: 'canary' };
    expect(JSON.stringify(logged({ level: 'INFO', message: 'begun', meta }))).not.toContain(
      'canary',
    );
  });
});

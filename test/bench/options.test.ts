import { expect, it } from '@jest/globals';
import { PART_NAMES, readOptions, UsageError } from '../../bench/options.ts';

it('without arguments it runs every part but those on demand, and records the result', () => {
  expect(readOptions([])).toMatchObject({ parts: PART_NAMES, record: true, history: false });
});

it.each([
  ['a part by its name', ['batch']],
  ['another size', ['--rows', '500']],
  ['profiles', ['--profile', 'somewhere']],
])('%s is not recorded unless it is asked for', (_what, args) => {
  expect(readOptions(args).record).toBe(false);
  expect(readOptions([...args, '--record']).record).toBe(true);
});

it('takes the delay and the names of peers', () => {
  const options = readOptions(['peers', '--delay-ms', '0', '--peer', 'dbos', '--peer', 'bullmq']);
  expect(options).toMatchObject({ parts: ['peers'], delayMs: 0, peers: ['dbos', 'bullmq'] });
});

it('the history is a command and no part', () => {
  expect(readOptions(['history'])).toMatchObject({ history: true, record: false });
});

it.each([[['nothing']], [['--rows', '0']], [['--delay-ms', 'x']], [['--unknown']]])(
  'refuses %j',
  (args) => {
    expect(() => readOptions(args)).toThrow(UsageError);
  },
);

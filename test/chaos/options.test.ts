import { expect, it } from '@jest/globals';
import { readOptions, UsageError } from '../../chaos/options.ts';
import { readRecords } from '../../chaos/evidence/csv.ts';
import { resultText } from '../../chaos/result.ts';

it('chaos has defaults, and a seed that differs from run to run', () => {
  expect(readOptions([], 5_000)).toMatchObject({
    minutes: 2,
    rows: 4_000,
    seed: 5,
    idempotency: 'ignores-key',
    stack: 'sqlite',
    without: [],
  });
});

it.each(['postgres', 'cluster'])('chaos takes the stack %s', (stack) => {
  expect(readOptions(['--stack', stack], 5_000).stack).toBe(stack);
});

it.each([
  [['--minutes', '0']],
  [['--rows', '1e3']],
  [['--seed', '-1']],
  [['--idempotency', 'unheard-of']],
  [['--stack', 'mysql']],
  [['--drill', 'disk-lost', '--stack', 'postgres']],
  [['--drill', 'store-lost']],
  [['--unknown']],
  [['stray']],
])('chaos refuses %j', (args) => {
  expect(() => readOptions(args, 0)).toThrow(UsageError);
});

it('a result names the faults that were left out, and the command that repeats it', () => {
  const text = resultText({
    options: readOptions(['--seed', '7', '--without', 'disk full'], 0),
    batches: 2,
    resends: 0,
    rows: {},
    faults: {},
    answers: {},
    broken: [],
    commandsKilled: { submit: 2 },
    sends: { sends: 0, ambiguous: 0, recovered: 0 },
    times: { chaosMs: 0, settlingMs: 0 },
  });
  expect(text).toContain('has happened, but for what was left out: disk full');
  expect(text).toContain('Commands that were killed: submit 2');
  expect(text).toMatch(/--seed 7 .*--stack sqlite --without "disk full"$/);
});

it('a drill has one loss, on a store that is a server', () => {
  const options = readOptions(['--stack', 'postgres', '--drill', 'region-lost'], 5_000);
  expect(options).toMatchObject({ stack: 'postgres', drill: 'region-lost' });
});

it('reads the files of a report by itself', () => {
  const text = '\uFEFFa,b\n"1,""x""\ny",2\n,3\n';
  expect(readRecords(text)).toEqual([
    { a: '1,"x"\ny', b: '2' },
    { a: '', b: '3' },
  ]);
});

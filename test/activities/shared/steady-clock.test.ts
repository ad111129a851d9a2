import { expect, it } from '@jest/globals';
import { openSteadyClock } from '../../../src/activities/shared/steady-clock.ts';

const host = (boot: string, namespace: string | Error) => (path: string) => {
  if (path.endsWith('boot_id')) return `${boot}\n`;
  if (namespace instanceof Error) throw namespace;
  return namespace;
};
const clockOf = (read: (path: string) => string): string => openSteadyClock(read)().clock;

it('all processes of one boot of a host have the same clock, and it never goes back', () => {
  expect(clockOf(host('b1', 'time:[1]'))).toBe(clockOf(host('b1', 'time:[1]')));
  const read = openSteadyClock();
  const [first, second] = [read(), read()];
  expect(second.clock).toBe(first.clock);
  expect(second.ms).toBeGreaterThanOrEqual(first.ms);
});

it('another boot, and a container with a time of its own, have another clock', () => {
  const clocks = [host('b1', 'time:[1]'), host('b2', 'time:[1]'), host('b1', 'time:[2]')].map(
    clockOf,
  );
  expect(new Set(clocks).size).toBe(3);
});

it('a kernel without such containers has one clock for all', () => {
  const none = Object.assign(new Error('no such file'), { code: 'ENOENT' });
  expect(clockOf(host('b1', none))).toBe(clockOf(host('b1', none)));
});

it('where nothing names the boot, each process has a clock of its own', () => {
  const unreadable = (): string => {
    throw new Error('not here');
  };
  const denied = host('b1', Object.assign(new Error('denied'), { code: 'EACCES' }));
  for (const read of [unreadable, denied, host('', 'time:[1]')]) {
    expect(clockOf(read)).not.toBe(clockOf(read));
  }
});

it('the clock has a name that does not show the id of the boot', () => {
  expect(clockOf(host('0123abcd', 'time:[1]'))).not.toContain('0123abcd');
});

import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readOptions, UsageError } from '../src/options.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

const secretFile = (mode: number): string => {
  const path = join(temporaryFolder(), 'secret');
  writeFileSync(path, 'hidden\n');
  chmodSync(path, mode);
  return path;
};

const target = (file: string, ...more: string[]): string[] => [
  ...['--base-url', 'https://api.example', '--key', 'k', '--account', `0x${'1'.repeat(40)}`],
  ...['--secret-file', file],
  ...more,
];

describe('the options of the conformance suite', () => {
  it('try the sandbox when no service is named', () => {
    expect(readOptions([])).toMatchObject({
      target: null,
      payment: null,
      mayMake: false,
      adminUrl: null,
      isSlow: false,
      speed: 1,
    });
  });

  it('name a service, and its undocumented paths', () => {
    const flags = ['LOOKUP=/find', 'REPORT=', 'USER=PUT /me'].flatMap((each) => [
      '--endpoint',
      each,
    ]);
    expect(readOptions(target(secretFile(0o600), ...flags)).target).toMatchObject({
      secret: 'hidden',
      endpoints: { LOOKUP: '/find', REPORT: '', USER: 'PUT /me', ACCOUNT: '/api/v1/account' },
    });
  });

  it('name the allowed payment exactly', () => {
    const addresses = ['--failing-address', 'bad', '--invalid-address', 'worse'];
    const { payment } = readOptions(['--pay', 'BTC:0.00000001:addr', ...addresses]);
    expect(payment).toEqual({
      currency: 'BTC',
      amount: '0.00000001',
      address: 'addr',
      failingAddress: 'bad',
      invalidAddress: 'worse',
    });
  });

  it.each([
    [['--no-such-flag']],
    [['--base-url', 'https://api.example']],
    [['--pay', 'BTC:1e3:addr']],
    [['--pay', 'BTC:1']],
    [['--pay', 'BTC:1:addr:more']],
    [['--payments-max', '-1']],
    [['--speed', 'fast']],
    [['--patience', 'long']],
    [['--format', 'xml']],
    [['extra']],
  ])('refuse %j', (args) => {
    expect(() => readOptions(args)).toThrow(UsageError);
  });

  it('refuse a secret that others can read, an absent one, and unknown operations', () => {
    expect(() => readOptions(target(secretFile(0o644)))).toThrow('chmod 600');
    expect(() => readOptions(target('/nowhere/at/all'))).toThrow(UsageError);
    expect(() => readOptions(target(secretFile(0o600), '--endpoint', 'GUESS=/x'))).toThrow('GUESS');
    expect(() => readOptions(target(secretFile(0o600), '--endpoint', 'LOOKUP=x'))).toThrow(
      'LOOKUP',
    );
  });
});

import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { FATES, type FateCode, fateOf } from '../src/core/fates.ts';
import { OPERATION_FAULTS, WEBHOOK_FAULTS } from '../src/core/faults.ts';
import { MODE_NAMES, MODE_VALUES } from '../src/core/modes.ts';
import { DEVELOPMENT_KEY } from '../src/settings.ts';
import { testAddress } from '../src/test-addresses.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** As EIP-55 defines it. */
function withChecksum(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  const cased = [...digits].map((digit, at) =>
    Number.parseInt(hash[at] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join('')}`;
}

const rows = [...README.matchAll(/^\| `(\d{4})` \|.*\| `(0x\w+)` \| `(T\w+)` \|$/gm)].map(
  ([, code = '', evm = '', tron = '']) => ({ code, evm, tron }),
);

it('the README lists every code of test addresses', () => {
  expect(rows.map(({ code }) => code)).toEqual(['0000', ...Object.keys(FATES)]);
});

it.each(rows)('the addresses of the code $code in the README are right', ({ code, evm, tron }) => {
  const known = code as FateCode | '0000';
  expect(evm).toBe(withChecksum(testAddress(known, 1)));
  expect(tron).toBe(testAddress(known, 1, 'TRON'));
  const fate = known === '0000' ? null : known;
  expect([fateOf(evm), fateOf(tron)]).toEqual([fate, fate]);
});

it.each([...OPERATION_FAULTS, ...WEBHOOK_FAULTS])('the README describes the fault %s', (kind) => {
  expect(README).toContain(`\`${kind}\``);
});

const modeValues = Object.entries(MODE_VALUES).flatMap(([name, values]) =>
  values.map((value) => ({ name, value })),
);

it.each(MODE_NAMES)('the README describes the mode %s', (name) => {
  expect(README).toContain(`| \`${name}\` | `);
});

it.each(modeValues)('the README describes $name=$value', ({ value }) => {
  expect(README).toContain(`\`${value}\``);
});

it('the README has the development key', () => {
  for (const part of DEVELOPMENT_KEY.split(':')) expect(README).toContain(`\`${part}\``);
});

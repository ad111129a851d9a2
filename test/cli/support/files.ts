import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { testAddress } from '../../../packages/sandbox/src/test-addresses.ts';

export const address = (n: number): string => testAddress('0000', n, 'TRON');

export const csv = (...rows: string[]): string =>
  ['address,amount,currency', ...rows, ''].join('\n');

/** Three rows, 60.5 USDT_TRC20 in all. */
export const GOOD = csv(
  `${address(1)},10.5,USDT_TRC20`,
  `${address(2)},20,USDT_TRC20`,
  `${address(3)},30,USDT_TRC20`,
);

/** Of three rows one is refused; 40.5 USDT_TRC20 are left. */
export const ONE_BAD = csv(
  `${address(1)},10.5,USDT_TRC20`,
  `${address(2)},2E1,USDT_TRC20`,
  `${address(3)},30,USDT_TRC20`,
);

/** The same payment twice: DUPLICATE_ROW must be accepted. */
export const DUPLICATE = csv(`${address(1)},10,USDT_TRC20`, `${address(1)},10,USDT_TRC20`);

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const derivedId = (stem: string, text: string): string =>
  `${stem}-${sha256(text).slice(0, 8)}`;

/** Writes files below a folder and answers with the folder. */
export function withFiles(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

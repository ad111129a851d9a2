import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import { createBase58check } from '@scure/base';
import { isBursarError } from '../../../../src/domain/errors/bursar-error.ts';
import { type Ingested, ingestPath } from '../../support/ingest.ts';
import {
  type Control,
  isDecimal,
  type ReadRow,
  readIndependently,
  withoutEndZeros,
} from './independent-reader.ts';

type Outcome = Ingested | Readonly<{ refusal: string }>;

/** Returns the result of the engine for a file. An error without a code fails the test. */
export async function outcomeOf(
  path: string,
  content: Uint8Array,
  readBytes = 65_536,
): Promise<Outcome> {
  writeFileSync(path, content);
  try {
    return await ingestPath(path, { readBytes, chunkRows: 3 });
  } catch (error) {
    if (!isBursarError(error) || error.code === 'INTERNAL') throw error;
    const { line } = error.facts as { line?: number };
    return { refusal: line === undefined ? error.code : `${error.code} ${line}` };
  }
}

/** Errors whose order depends on the cut into blocks, when a file has several. */
const OF_BYTES = ['FILE_ENCODING', 'FILE_COMPRESSION'];

/** Compares the result of the engine with that of the independent reader. */
export function assertAsRead(outcome: Outcome, content: Uint8Array): void {
  const reading = readIndependently(content);
  if ('refusal' in reading) {
    const isOfBytes = OF_BYTES.includes(reading.refusal);
    const expected = isOfBytes ? expect.stringMatching(/^[A-Z_]+/) : reading.refusal;
    expect(outcome).toEqual({ refusal: expected });
    return;
  }
  if ('refusal' in outcome) throw new Error(`refused with ${outcome.refusal}`);
  assertRows(outcome, reading.rows);
  expect(controlOf(outcome)).toEqual(reading.control);
}

function controlOf({ summary: { controlTotals } }: Ingested): Control | undefined {
  if (controlTotals === undefined) return undefined;
  return { count: controlTotals.expectCount, totals: controlTotals.expectTotals };
}

function assertRows({ rows, refused, summary }: Ingested, read: readonly ReadRow[]): void {
  const accepted = new Map(rows.map((row) => [row.row, row]));
  const refusedLines = new Set(refused.map(({ row }) => row));
  expect(accepted.size).toBe(rows.length);
  expect(summary.rows).toBe(read.length);
  const references = new Set<string>();
  for (const { line, cells } of read) {
    const row = accepted.get(line);
    expect([line, refusedLines.has(line)]).toEqual([line, row === undefined]);
    const reference = cells?.['reference'] ?? '';
    const isFree = reference === '' || !references.has(reference);
    references.add(reference);
    if (row === undefined) expect([line, isPlainlyGood(cells) && isFree]).toEqual([line, false]);
    else expect({ ...row }).toEqual({ row: line, ...canonical(cells) });
  }
}

/** Returns the cells of an accepted row in canonical form. Fails for a row that cannot be paid. */
function canonical(cells: ReadRow['cells']): Record<string, string> {
  const { address = '', amount = '', currency = '' } = cells ?? {};
  const { comment = '', reference = '', name = '' } = cells ?? {};
  expect(`${address}${amount}${currency}`).toMatch(/^[!-~]+$/);
  expect([amount, isDecimal(amount) && /[1-9]/.test(amount)]).toEqual([amount, true]);
  if (currency === 'TRX') expect([address, isTron(address)]).toEqual([address, true]);
  for (const cell of [address, comment, reference, name])
    expect(cell).not.toMatch(/^\s*[=+\-@\0\t\r]/);
  expect(name).not.toMatch(/[\n\t]/);
  return { address, amount: withoutEndZeros(amount), currency, comment, reference, name };
}

const base58check = createBase58check((bytes: Uint8Array) =>
  createHash('sha256').update(bytes).digest(),
);

function isTron(address: string): boolean {
  try {
    const bytes = base58check.decode(address);
    return bytes.length === 21 && bytes[0] === 0x41;
  } catch {
    return false;
  }
}

/** Whether a row is certainly valid. With it, an engine that refuses everything fails. */
const isPlainlyGood = (cells: ReadRow['cells']): boolean =>
  cells !== undefined &&
  cells['currency'] === 'TRX' &&
  isTron(cells['address'] ?? '') &&
  /^[1-9]\d{0,9}(\.\d{1,6})?$/.test(cells['amount'] ?? '') &&
  /^([a-z][a-z0-9 ]{0,50})?$/.test(cells['comment'] ?? '') &&
  /^([a-z][a-z0-9 ]{0,50})?$/.test(cells['reference'] ?? '') &&
  /^([a-z][a-z0-9 ]{0,50})?$/.test(cells['name'] ?? '');

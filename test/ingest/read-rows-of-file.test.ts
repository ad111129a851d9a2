import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { readRowsOfFile } from '../../src/ingest/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { HEADER, ingestPath, TRON } from './support/ingest.ts';

const LINES = Array.from({ length: 3_000 }, (_, i) => `${TRON},${i + 1}.50,TRX,"a\nb",`);
const TEXT = `# rows=3000\n\n${HEADER}${LINES.join('\n')}\n`;

function fileWith(content: string | Uint8Array): Readonly<{ name: string; path: string }> {
  const path = join(temporaryFolder(), 'payouts.csv');
  writeFileSync(path, content);
  return { name: 'payouts.csv', path };
}

describe('rows of a file that are read again', () => {
  it.each([
    ['as text', TEXT],
    ['packed', gzipSync(TEXT)],
  ])('are the accepted ones, %s', async (_how, content) => {
    const source = fileWith(content);
    const { rows } = await ingestPath(source.path);
    const wanted = [rows[0], rows[1_234], rows[2_999]];
    const numbers = wanted.map((row) => row?.row ?? 0);
    expect(await readRowsOfFile(source, { readBytes: 999 }, numbers)).toEqual(wanted);
  });

  it('have the default currency of a file without one', async () => {
    const source = fileWith(`address,amount\n${TRON},1.0\n`);
    expect(await readRowsOfFile(source, { defaultCurrency: 'TRX' }, [2])).toMatchObject([
      { row: 2, amount: '1', currency: 'TRX' },
    ]);
  });

  it.each([
    ['as text', (text: string) => text],
    ['packed', (text: string) => gzipSync(text)],
  ])('are read only up to the last one, %s', async (_how, pack) => {
    const source = fileWith(pack(`${TEXT}"this quote is never closed`));
    expect(await readRowsOfFile(source, { readBytes: 999 }, [6])).toHaveLength(1);
    await expect(readRowsOfFile(source, {}, [6, 9_999])).rejects.toMatchObject({
      code: 'QUOTE_UNCLOSED',
    });
  });

  it('are empty for no numbers, and the file is not opened', async () => {
    expect(await readRowsOfFile({ name: 'x', path: '/nowhere' }, {}, [])).toEqual([]);
  });

  it('throw FILE_CHANGED when one of them is missing', async () => {
    const source = fileWith(`${HEADER}${TRON},1,TRX,,\n${TRON},1e9,TRX,,\n`);
    for (const row of [1, 3, 4]) {
      await expect(readRowsOfFile(source, {}, [2, row])).rejects.toMatchObject({
        code: 'FILE_CHANGED',
      });
    }
  });

  it('stop when the signal is aborted', async () => {
    const signal = AbortSignal.abort(new Error('told to'));
    await expect(readRowsOfFile(fileWith(TEXT), { signal }, [6])).rejects.toThrow('told to');
  });
});

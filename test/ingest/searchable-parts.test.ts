import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { openFile, searchableParts } from '../../src/ingest/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { sheetOf, zipOf } from './support/workbook.ts';

const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';

/** Every text of the parts of a file. */
async function textsOf(content: Buffer | string): Promise<string> {
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, content);
  const file = await openFile({ name: 'file', path }, { readBytes: 7, sizeBytesMax: 1e6 });
  let texts = '';
  try {
    for await (const part of searchableParts(file, 'file')) {
      for await (const block of part) texts += block.toString('latin1');
    }
  } finally {
    await file.close();
  }
  return texts;
}

it.each([
  ['plain', `address,amount\n${ADDRESS},1\n`],
  ['packed by gzip', gzipSync(`address,amount\n${ADDRESS},1\n`)],
  ['a workbook', sheetOf([['address'], [ADDRESS]])],
  ['shorter than its first bytes', 'a'],
])('a file that is %s shows its texts to a search', async (_, content) => {
  expect(await textsOf(content)).toContain(content === 'a' ? 'a' : ADDRESS);
});

it('an archive that cannot be read is refused, and not taken for one without the text', async () => {
  const archive = zipOf([{ name: 'a', content: ADDRESS, sum: 1 }]);
  await expect(textsOf(archive)).rejects.toMatchObject({ code: 'WORKBOOK_UNREADABLE' });
});

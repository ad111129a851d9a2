import { expect, it } from '@jest/globals';
import { openZip } from '../../src/ingest/workbook/zip-parts.ts';
import { zipOf } from './support/workbook.ts';

it('the parts of an archive together unpack to twice its largest allowed part, and not to more', async () => {
  const content = '0123456789';
  const archive = zipOf(['a', 'b', 'c'].map((name) => ({ name, content })));
  const parts = await openZip(archive, { file: 'book.xlsx', partBytesMax: 12 });
  const read = async (name: string): Promise<string> => {
    let text = '';
    for await (const block of parts.bytes(name)) text += block.toString();
    return text;
  };
  expect(await read('a')).toBe(content);
  expect(await read('b')).toBe(content);
  await expect(read('c')).rejects.toMatchObject({
    code: 'WORKBOOK_TOO_LARGE',
    facts: { has: 'more than 24 bytes' },
  });
});

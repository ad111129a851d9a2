import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { sharedFolder } from '../support/temporary-folder.ts';
import { expectEverybodyPaidOnce } from './support/everybody-paid.ts';
import { createReader } from './support/reader.ts';
import { readBook } from './support/read-book.ts';

jest.setTimeout(600_000);

const book = readFileSync(
  fileURLToPath(new URL('../../docs/run-book.md', import.meta.url)),
  'utf8',
);
const chapters = readBook(book);
const reader = createReader(sharedFolder());

describe('a reader who follows the run book step by step', () => {
  afterAll(() => reader.stop());

  let lost: string | undefined;

  it.each(chapters)('gets the printed results: $title', async ({ title, steps }) => {
    // The steps go on from each other.
    expect(lost).toBeUndefined();
    lost = title;
    for (const step of steps) await reader.follow(step);
    lost = undefined;
  });

  it('has paid every row exactly once, by the ledger of the sandbox alone', async () => {
    await expectEverybodyPaidOnce(reader);
  });
});

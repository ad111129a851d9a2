import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { damagedFile, wellFormed } from './support/hostile-files.ts';
import { assertAsRead, outcomeOf } from './support/compare-readers.ts';

/** Fixed, so that every run tests the same files. */
const seed = 1;

describe('any file is refused with a code and a line, or gives the rows of an independent reader', () => {
  it('when it is well-formed', async () => {
    const path = join(temporaryFolder(), 'payouts.csv');
    await fc.assert(
      fc.asyncProperty(wellFormed, async (content) => {
        assertAsRead(await outcomeOf(path, content), content);
      }),
      { numRuns: 400, seed },
    );
  });

  it('when it is damaged', async () => {
    const path = join(temporaryFolder(), 'payouts.csv');
    await fc.assert(
      fc.asyncProperty(damagedFile, async (content) => {
        assertAsRead(await outcomeOf(path, content), content);
      }),
      { numRuns: 1_500, seed },
    );
  });

  it('when it has any bytes', async () => {
    const path = join(temporaryFolder(), 'payouts.csv');
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(bytes, async (content) => {
        assertAsRead(await outcomeOf(path, content), content);
      }),
      { numRuns: 300, seed },
    );
  });

  it('with the same result for any cut into blocks', async () => {
    const path = join(temporaryFolder(), 'payouts.csv');
    const readBytes = fc.integer({ min: 1, max: 24 });
    await fc.assert(
      fc.asyncProperty(damagedFile, readBytes, async (content, blockBytes) => {
        const outcome = await outcomeOf(path, content, blockBytes);
        assertAsRead(outcome, content);
        if ('refusal' in outcome) return;
        expect(outcome).toEqual(await outcomeOf(path, content));
      }),
      { numRuns: 500, seed },
    );
  });
});

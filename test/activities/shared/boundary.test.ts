import { ApplicationFailure } from '@temporalio/common';
import { expect, it } from '@jest/globals';
import { atBoundary, orRefused } from '../../../src/activities/shared/boundary.ts';
import { BursarError } from '../../../src/domain/errors/bursar-error.ts';
import { asActivity } from '../support/as-activity.ts';

const ADDRESS = 'TN3W4H6rK2ce4vX9YnFQHwKENnHjoxb3m9';
const FIRST_LINE = `${ADDRESS},12.5,USDT_TRC20`;

const refuse = (): Promise<never> =>
  Promise.reject(new BursarError('DELIMITER_UNKNOWN', { file: 'a.csv', found: FIRST_LINE }));

/** Runs work as an activity does; answers with all that Temporal would keep of its end. */
async function keptOf(work: () => Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await asActivity().run(work));
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) throw error;
    const { type, message, details } = error;
    return JSON.stringify({ type, message, details, cause: error.cause });
  }
}

it.each([
  ['a result', () => orRefused(refuse)],
  ['a failure', () => atBoundary(refuse)],
])('a refused file leaves its code and nothing of its rows behind, as %s', async (_as, work) => {
  const kept = await keptOf(work);
  expect(kept).toContain('DELIMITER_UNKNOWN');
  expect(kept).not.toContain(ADDRESS);
});

it('a missing copy of a file refuses nothing: it is a failure that the workflow waits for', async () => {
  const missing = new BursarError('BLOB_MISSING', { sha256: 'f'.repeat(64), url: 's3://payouts' });
  const failing = asActivity().run(() => orRefused(() => Promise.reject(missing)));
  await expect(failing).rejects.toMatchObject({ type: 'BLOB_MISSING', nonRetryable: true });
});

it.each([
  new BursarError('STORE_PASSWORD_FILE_OPEN', { file: '/run/word', mode: '0644' }),
  new BursarError('STORE_PASSWORD_FILE_UNREADABLE', { file: '/run/word', reason: 'ENOENT' }),
])(
  'the password of the store ends no batch: after $code the activity is tried again',
  async (refusal) => {
    const failing = asActivity().run(() => orRefused(() => Promise.reject(refusal)));
    await expect(failing).rejects.toMatchObject({ type: refusal.code, nonRetryable: false });
  },
);

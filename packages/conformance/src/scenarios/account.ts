import { demandFor, type NeededObject } from '../expect.ts';
import type { CheckRun } from '../run.ts';

export const BALANCE: NeededObject = { words: 'a balance', checkedBy: 'account.status' };

/** Throws Unprepared when a right request is refused: then a refusal of a wrong one shows nothing. */
export const acceptedRequest = (run: CheckRun): Promise<unknown> =>
  run.once('an accepted request', async () =>
    demandFor(await run.service.send('ACCOUNT'), BALANCE),
  );

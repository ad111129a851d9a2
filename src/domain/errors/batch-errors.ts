import { stateInSentence } from '../text/state-words.ts';
import { sentenceOf } from '../text/sentence.ts';
import { entry } from './entry.ts';

type OfBatch = Readonly<{ batchId: string }>;

/** What stops a batch or a command about one. */
export const BATCH_ERRORS = {
  BATCH_NOT_FOUND: entry<OfBatch & Readonly<{ isUnknownToTemporal?: boolean }>>({
    category: 'not-found',
    what: (f) =>
      f.isUnknownToTemporal
        ? `There is no batch ${f.batchId}.`
        : `The store has no batch ${f.batchId}.`,
    why: (f) =>
      f.isUnknownToTemporal
        ? 'Neither the store nor Temporal has it.'
        : 'A batch that was refused at once, or that no worker has begun, is not in the store.',
    fix: (f) =>
      f.isUnknownToTemporal
        ? 'List the batches with "bursar list".'
        : `"bursar status ${f.batchId}" also searches in Temporal. "bursar list" lists the batches.`,
  }),
  BATCH_PRUNED: entry<OfBatch>({
    category: 'usage',
    what: (f) => `The rows of batch ${f.batchId} were removed by "bursar prune".`,
    why: 'Their time in the store was over. Totals, outcomes and the proof of payment are still stored.',
    fix: (f) =>
      `"bursar status ${f.batchId}" and "bursar verify ${f.batchId}" show the rest. The rows are in your own copy of the file.`,
  }),
  BATCH_ID_INVALID: entry<OfBatch>({
    category: 'usage',
    what: (f) => `"${f.batchId}" cannot be the id of a batch.`,
    why: 'An id has 1 to 64 letters, digits, dots, dashes or underscores. It starts with a letter or digit.',
    fix: 'Choose another --id.',
  }),
  BATCH_ID_TAKEN: entry<OfBatch>({
    category: 'usage',
    what: (f) => `The id ${f.batchId} belongs to a batch with other content.`,
    why: 'An id always belongs to one file, so that nothing is paid twice under it.',
    fix: 'Choose another --id, or leave it out.',
  }),
  ACCOUNT_SPELLED_OTHERWISE: entry<Readonly<{ account: string; known: string }>>({
    category: 'usage',
    what: (f) => `The store has the account ${f.account} under the name ${f.known}.`,
    why: 'With two spellings Bursar would see two accounts, and miss earlier payments and reserved money.',
    fix: (f) => `Write it as ${f.known} in api.account (BURSAR_API_ACCOUNT), or in --account.`,
  }),
  SAME_FILE_AGAIN: entry<Readonly<{ batchId: string; earlier: string }>>({
    category: 'file',
    what: (f) => `The rows of batch ${f.batchId} were already submitted as ${f.earlier}.`,
    why: 'A file that is paid under two ids pays each person twice.',
    fix: 'Check the earlier batch with "bursar status". If a second payment is intended, submit under another --id with --accept SAME_FILE_AGAIN.',
  }),
  AT_IN_PAST: entry<Readonly<{ flag: string; at: string; now: string }>>({
    category: 'usage',
    what: (f) => `${f.flag} ${f.at} lies in the past (it is ${f.now}).`,
    why: 'A due time in the past is mostly a mistake.',
    fix: (f) => `Give a later time, or leave ${f.flag} out to pay at once.`,
  }),
  TIME_UNREADABLE: entry<Readonly<{ flag: string; text: string }>>({
    category: 'usage',
    what: (f) => `${f.flag} "${f.text}" is not a time with a zone.`,
    why: 'A time without a zone means different moments to different people.',
    fix: 'Write it as 2026-12-01T09:00:00Z or with an offset, 2026-12-01T10:00:00+01:00.',
  }),
  AT_AND_EXECUTION_DATE: entry({
    category: 'usage',
    what: '--at and --execution-date cannot be used together.',
    why: 'Either Bursar waits until the time, or the service does. With both it is not clear which.',
    fix: 'Keep --at (Bursar waits, and then checks the balance again), or --execution-date (the service waits).',
  }),
  CONFIRMATION_WRONG: entry<Readonly<{ given: string; expected: string }>>({
    category: 'said-no',
    what: (f) => `The amount does not match: "${f.given}" is not "${f.expected}".`,
    why: 'You type it so that no file is paid unread.',
    fix: (f) => `Check the plan. Then try again, or add --confirm ${f.expected}.`,
  }),
  CONFIRMATION_MISSING: entry<Readonly<{ expected: string }>>({
    category: 'usage',
    what: 'The payment was not confirmed.',
    why: 'There is no terminal for the question, and neither --yes nor --confirm was given.',
    fix: (f) => `Add --yes, or --confirm ${f.expected}.`,
  }),
  PERSON_SAID_NO: entry({
    category: 'said-no',
    what: 'The batch was not confirmed; nothing was sent.',
    why: 'The question was answered with no.',
    fix: 'Run the command again to pay.',
  }),
  CHUNK_NOT_WAITING: entry<Readonly<{ chunk: string; batchId: string }>>({
    category: 'usage',
    what: (f) => `Chunk ${f.chunk} of batch ${f.batchId} does not wait for an operator.`,
    why: 'Only a chunk that needs an operator can be resolved.',
    fix: (f) => `"bursar status ${f.batchId}" shows which chunks wait.`,
  }),
  ANSWER_IMPOSSIBLE: entry<Readonly<{ chunk: string; batchId: string }>>({
    category: 'usage',
    what: (f) =>
      `Chunk ${f.chunk} of batch ${f.batchId} cannot be "not-created": the service has a mass payout under its key.`,
    why: 'That mass payout differs from the chunk. A new create would use the same key.',
    fix: (f) =>
      `Check it in the service's own interface. Then: bursar resolve ${f.batchId} ${f.chunk} adopt ID, with the right mass payout, or abandon.`,
  }),
  CHUNK_SENT_SINCE: entry<
    Readonly<{ chunk: string; batchId: string; attempts: string; meant: string }>
  >({
    category: 'usage',
    what: (f) =>
      `Chunk ${f.chunk} of batch ${f.batchId} has ${f.attempts} attempts. Your answer is about ${f.meant}.`,
    why: 'A search before the last attempt could not find its payment.',
    fix: (f) =>
      `Search in the service again, for what "bursar status ${f.batchId}" shows now. Then answer with the command that it prints.`,
  }),
  ADOPT_DIFFERS: entry<
    Readonly<{ batchId: string; chunk: string; massPayoutId: string; why: string }>
  >({
    category: 'usage',
    what: (f) =>
      `Mass payout ${f.massPayoutId} is not chunk ${f.chunk} of batch ${f.batchId}: ${f.why}.`,
    why: 'Its rows would count as paid, and it paid other rows.',
    fix: (f) =>
      `Search for the right one by the ids that "bursar status ${f.batchId}" shows. Or answer not-created or abandon.`,
  }),
  ROW_NOT_FOUND: entry<Readonly<{ batchId: string; row: string }>>({
    category: 'not-found',
    what: (f) => `Batch ${f.batchId} has no row ${f.row}.`,
    why: 'The number of a row is its line in the file, as an editor counts.',
    fix: (f) => `List the rows with "bursar rows ${f.batchId}".`,
  }),
  WORD_NOT_FOUND: entry<Readonly<{ word: string }>>({
    category: 'not-found',
    what: (f) => `There is no payment with the id, address, reference or payee name ${f.word}.`,
    why: 'The search covers this store, without the rows that "bursar prune" removed.',
    fix: 'Give the whole word, as the file has it. To search at the service: "bursar api lookup".',
  }),
  BATCH_ENDED: entry<Readonly<{ batchId: string; state: string }>>({
    category: 'usage',
    what: (f) => `Batch ${f.batchId} has already ended (${stateInSentence(f.state)}).`,
    why: 'An ended batch cannot be changed.',
    fix: (f) => `"bursar status ${f.batchId}" shows its result.`,
  }),
  TIE_OUT_BROKEN: entry<Readonly<{ batchId: string; difference: string }>>({
    category: 'bug',
    what: (f) => `The outcomes of batch ${f.batchId} do not add up to its file: ${f.difference}.`,
    why: 'Each row must count once. Bursar writes no report with wrong sums.',
    fix: 'Keep the store as it is and report this.',
  }),
  CANCELED_BY_PERSON: entry<Readonly<{ by: string; reason: string }>>({
    category: 'said-no',
    what: (f) => `The batch was canceled by ${f.by}: ${sentenceOf(f.reason)}`,
    why: 'The report has the results of payments that were sent before. The others were not sent.',
    fix: 'To pay the rows all the same, submit resend.csv.',
  }),
};

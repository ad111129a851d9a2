import { stateInSentence } from '../text/state-words.ts';
import { sentenceOf } from '../text/sentence.ts';
import { entry } from './entry.ts';

type OfBatch = Readonly<{ batchId: string }>;

/** What stands against a decision of an operator about a batch that is under way. */
export const CONTROL_ERRORS = {
  ALREADY_PAUSED: entry<OfBatch & Readonly<{ by: string }>>({
    category: 'usage',
    what: (f) => `Batch ${f.batchId} is paused already, by ${f.by}.`,
    why: 'One pause is enough. Nothing was changed.',
    fix: (f) => `Go on with "bursar resume ${f.batchId} --reason ...".`,
  }),
  NOTHING_TO_PAUSE: entry<OfBatch & Readonly<{ state: string }>>({
    category: 'usage',
    what: (f) => `Batch ${f.batchId} is ${stateInSentence(f.state)}: all its payments were sent.`,
    why: 'A pause stops payments that were not sent yet. There are none.',
    fix: (f) => `Follow it with "bursar watch ${f.batchId}".`,
  }),
  BATCH_STOPPED: entry<OfBatch & Readonly<{ stopped: string }>>({
    category: 'usage',
    what: (f) => `Nothing more of batch ${f.batchId} is sent: ${sentenceOf(f.stopped)}`,
    why: 'A stopped batch never continues. The report has the results of sent payments. Nothing was changed.',
    fix: (f) =>
      `Follow it with "bursar watch ${f.batchId}". Then "bursar resend ${f.batchId}" pays the rows that were not sent.`,
  }),
  NOT_HELD: entry<OfBatch>({
    category: 'usage',
    what: (f) => `Batch ${f.batchId} is not on hold, so there is nothing to resume.`,
    why: 'Another person may have resumed it. Nothing was changed.',
    fix: (f) => `"bursar status ${f.batchId}" shows its state.`,
  }),
  HOLD_NOT_OPEN: entry<OfBatch & Readonly<{ n: string; open: string }>>({
    category: 'usage',
    what: (f) => `Hold ${f.n} of batch ${f.batchId} is over. The open hold is ${f.open}.`,
    why: 'A person must read a hold before they lift it. Nothing was changed.',
    fix: (f) => `Read the hold with "bursar status ${f.batchId}", and name it.`,
  }),
  HOLD_UNCLEAR: entry<OfBatch & Readonly<{ open: string }>>({
    category: 'usage',
    what: (f) => `Batch ${f.batchId} has several holds: ${f.open}.`,
    why: 'There is no terminal for the question which one is meant. Nothing was changed.',
    fix: 'Name one with --hold NUMBER.',
  }),
  HOLD_NEEDS_APPROVAL: entry<OfBatch & Readonly<{ hold: string }>>({
    category: 'said-no',
    what: (f) =>
      `Batch ${f.batchId} is on hold: ${sentenceOf(f.hold)} Only an approval lifts this hold.`,
    why: 'The approval policy requires the people who approve plans.',
    fix: (f) =>
      `Have them run "bursar approve ${f.batchId} --key FILE", or "bursar cancel ${f.batchId} --reason ...".`,
  }),
  RESUME_BEFORE_PLAN: entry<OfBatch>({
    category: 'usage',
    what: (f) => `Batch ${f.batchId} has no plan yet, so it cannot be resumed.`,
    why: 'The settings require approvals, and an approval of a hold names the plan. Bursar makes the plan also while the batch is on hold.',
    fix: (f) => `Wait until "bursar status ${f.batchId}" shows its plan, then resume it.`,
  }),
  NOT_DUE: entry<OfBatch & Readonly<{ at: string }>>({
    category: 'operator',
    what: (f) => `Batch ${f.batchId} is not due before ${f.at}.`,
    why: 'The plan has this time, and people approved it. By the clock of this worker it is in the future.',
    fix: 'Wait for it. If it has passed already, correct the clock of the worker.',
  }),
  ANSWER_UNSIGNED: entry<OfBatch & Readonly<{ chunk: string }>>({
    category: 'auth',
    what: (f) => `The answer for chunk ${f.chunk} of batch ${f.batchId} is not signed.`,
    why: 'The policy of the plan requires approvals, and an answer can send or give up rows. A name alone proves nothing.',
    fix: 'Answer with your key: bursar resolve ... --key FILE.',
  }),
  MESSAGE_UNREADABLE: entry<OfBatch & Readonly<{ message: string }>>({
    category: 'usage',
    what: (f) => `The message "${f.message}" to batch ${f.batchId} cannot be read.`,
    why: 'Another program sent it to Temporal. It has no effect.',
    fix: 'Use the commands of Bursar: "bursar help".',
  }),
  SUBMIT_UNSIGNED: entry<OfBatch & Readonly<{ submittedBy: string }>>({
    category: 'auth',
    what: (f) => `Nothing proves that ${f.submittedBy} submitted batch ${f.batchId}.`,
    why: 'The approval policy does not count the submitter as an approver, so the submitter must sign.',
    fix: 'Submit with the key of a person in approval.people: --key FILE, or the setting operator.key_file. Over HTTP and in the library: with a signed "submission".',
  }),
};

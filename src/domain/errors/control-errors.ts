import { stateInSentence } from '../text/state-words.ts';
import { sentenceOf } from '../text/sentence.ts';
import { entry } from './entry.ts';

type OfBatch = Readonly<{ batchId: string }>;

/** What stands against a decision of an operator about a batch that is under way. */
export const CONTROL_ERRORS = {
  ALREADY_PAUSED: entry<OfBatch & Readonly<{ by: string }>>({
    category: 'usage',
    what: (f) => `Batch ${f.batchId} is paused already, by ${f.by}.`,
    why: 'One pause is enough; nothing was changed.',
    fix: (f) => `Go on with "bursar resume ${f.batchId} --reason ...".`,
  }),
  NOTHING_TO_PAUSE: entry<OfBatch & Readonly<{ state: string }>>({
    category: 'usage',
    what: (f) => `Batch ${f.batchId} is ${stateInSentence(f.state)}: everything of it was sent.`,
    why: 'A pause keeps what was not sent from being sent; there is nothing left.',
    fix: (f) => `Follow it with "bursar watch ${f.batchId}".`,
  }),
  BATCH_STOPPED: entry<OfBatch & Readonly<{ stopped: string }>>({
    category: 'usage',
    what: (f) => `Nothing more of batch ${f.batchId} is sent: ${sentenceOf(f.stopped)}`,
    why: 'What was stopped never goes on. What was sent before is settled and reported; nothing was changed.',
    fix: (f) =>
      `Follow it with "bursar watch ${f.batchId}"; what was not sent is then paid with "bursar resend ${f.batchId}".`,
  }),
  NOT_HELD: entry<OfBatch>({
    category: 'usage',
    what: (f) => `Batch ${f.batchId} is not held, so there is nothing to resume.`,
    why: 'Somebody else may have resumed it; nothing was changed.',
    fix: (f) => `Look with "bursar status ${f.batchId}".`,
  }),
  HOLD_NOT_OPEN: entry<OfBatch & Readonly<{ n: string; open: string }>>({
    category: 'usage',
    what: (f) => `Hold ${f.n} of batch ${f.batchId} is not on; what holds it is ${f.open}.`,
    why: 'Nobody lets a batch go on after a hold that they have not read; nothing was changed.',
    fix: (f) => `Read what holds it with "bursar status ${f.batchId}", then name that.`,
  }),
  HOLD_UNCLEAR: entry<OfBatch & Readonly<{ open: string }>>({
    category: 'usage',
    what: (f) => `Batch ${f.batchId} has several holds: ${f.open}.`,
    why: 'Nobody can be asked here which of them is meant; nothing was changed.',
    fix: 'Name one with --hold NUMBER.',
  }),
  HOLD_NEEDS_APPROVAL: entry<OfBatch & Readonly<{ hold: string }>>({
    category: 'said-no',
    what: (f) =>
      `Batch ${f.batchId} is held: ${sentenceOf(f.hold)} It goes on by approval, not by resume.`,
    why: 'The approval policy asks the same people who approved the plan.',
    fix: (f) =>
      `Let them run "bursar approve ${f.batchId} --key FILE", or "bursar cancel ${f.batchId} --reason ...".`,
  }),
  RESUME_BEFORE_PLAN: entry<OfBatch>({
    category: 'usage',
    what: (f) => `Batch ${f.batchId} has no plan yet, so it cannot be resumed.`,
    why: 'The settings ask for approvals, and an approval of a hold names the plan. The plan is made although the batch is held.',
    fix: (f) => `Wait until "bursar status ${f.batchId}" shows its plan, then resume it.`,
  }),
  NOT_DUE: entry<OfBatch & Readonly<{ at: string }>>({
    category: 'operator',
    what: (f) => `Batch ${f.batchId} is not due before ${f.at}.`,
    why: 'The plan names this time, and people approved it. By the clock of this worker it lies ahead.',
    fix: 'Wait for it. If it has passed already, set the clock of the worker right.',
  }),
  ANSWER_UNSIGNED: entry<OfBatch & Readonly<{ chunk: string }>>({
    category: 'auth',
    what: (f) => `The answer for chunk ${f.chunk} of batch ${f.batchId} is not signed.`,
    why: 'The policy of the plan asks for approvals, and an answer can send or give up the same rows. A name alone proves nothing.',
    fix: 'Answer with your key: bursar resolve ... --key FILE.',
  }),
  MESSAGE_UNREADABLE: entry<OfBatch & Readonly<{ message: string }>>({
    category: 'usage',
    what: (f) =>
      `The message "${f.message}" to batch ${f.batchId} has not the form that Bursar sends.`,
    why: 'Another program sent it to Temporal. It has no effect.',
    fix: 'Act on batches with the commands of Bursar: "bursar help".',
  }),
  SUBMIT_UNSIGNED: entry<OfBatch & Readonly<{ submittedBy: string }>>({
    category: 'auth',
    what: (f) => `Nothing proves that ${f.submittedBy} submitted batch ${f.batchId}.`,
    why: 'The approval policy asks for approvals by other people than the submitter, so the submitter must sign.',
    fix: 'Submit with the key of a person in approval.people: --key FILE, or the setting operator.key_file.',
  }),
};

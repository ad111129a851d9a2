import { stateInSentence } from '../text/state-words.ts';
import { counted } from '../text/counted.ts';
import { entry } from './entry.ts';

type OfBatch = Readonly<{ batchId: string }>;

/** Errors that stop a resend, or a recheck of an ended batch. */
export const MENDING_ERRORS = {
  BATCH_OPEN: entry<OfBatch & Readonly<{ state: string }>>({
    category: 'usage',
    what: (f) => `Batch ${f.batchId} has not ended yet (${stateInSentence(f.state)}).`,
    why: 'What becomes of its rows is not known before its report.',
    fix: (f) => `Wait for its end with "bursar watch ${f.batchId}".`,
  }),
  RESEND_EXISTS: entry<OfBatch & Readonly<{ child: string }>>({
    category: 'usage',
    what: (f) => `Batch ${f.batchId} was sent again already, as ${f.child}.`,
    why: 'Two resends of one batch would pay its rows twice, so a batch has one resend, and the next one starts from that.',
    fix: (f) =>
      `Look at it with "bursar status ${f.child}"; when it has ended: bursar resend ${f.child}`,
  }),
  BATCH_FORGOTTEN: entry<OfBatch>({
    category: 'operator',
    what: (f) =>
      `Batch ${f.batchId} has not ended, and Temporal no longer has it; nothing was started.`,
    why: "Temporal's data was lost. Whether the store knows all that was sent and decided since then, only people can say.",
    fix: (f) =>
      `Go on with it: bursar recover ${f.batchId}. Where the store too was brought back, from an older copy: bursar recover --store older`,
  }),
  RESEND_FORGOTTEN: entry<OfBatch & Readonly<{ child: string }>>({
    category: 'usage',
    what: (f) =>
      `Batch ${f.batchId} was sent again already, as ${f.child}, and the store has forgotten that.`,
    why: 'The store was brought back from an older copy. Another resend would pay again what that one has paid.',
    fix: (f) =>
      `Bring it back first: bursar recover ${f.child} --store older. Where nothing of it is found: bursar resend ${f.batchId} --id ${f.child}`,
  }),
  BATCH_MAY_HAVE_BEGUN: entry<OfBatch & Readonly<{ code: string }>>({
    category: 'unreachable',
    what: (f) =>
      `Batch ${f.batchId} cannot go on (${f.code}), and cannot be refused: it may have begun to pay.`,
    why: 'The store was brought back from an older copy, and may have forgotten what was sent. To call the batch rejected now could have its rows paid twice.',
    fix: (f) =>
      `Correct what ${f.code} names. The batch tries again by itself. It is refused as soon as the service shows that nothing of it was sent.`,
  }),
  RESEND_REJECTED: entry<OfBatch>({
    category: 'usage',
    what: (f) => `Batch ${f.batchId} was rejected, so that there is nothing to send again.`,
    why: 'None of its rows was ever to be paid; "bursar status" says for what.',
    fix: (f) =>
      `Correct what stopped it, and submit the file under another id: bursar submit FILE --id ${f.batchId}-2`,
  }),
  RESEND_NOTHING: entry<OfBatch & Readonly<{ unclear: number }>>({
    category: 'usage',
    what: (f) =>
      f.unclear === 0
        ? `No row of batch ${f.batchId} is provably unpaid.`
        : `No row of batch ${f.batchId} is provably unpaid; of ${f.unclear} it is not known whether they were paid.`,
    why: 'Only rows that the service calls failed, or that were never sent, are sent again. Refused rows stand in nack.csv.',
    fix: (f) =>
      `See what became of each with "bursar rows ${f.batchId}". Find out about the unknown ones in the service before you pay them again.`,
  }),
  RESEND_UNSTATED: entry<Readonly<{ expected: string }>>({
    category: 'usage',
    what: 'It was not confirmed that these rows were not paid elsewhere.',
    why: 'What failed can also be sent again in the interface of the service, or from resend.csv. Done twice, it pays twice.',
    fix: (f) =>
      `Make sure of it; then add --confirm-not-paid-elsewhere, or type "${f.expected}" when asked.`,
  }),
  RESEND_CHANGED: entry<OfBatch & Readonly<{ parentBatchId: string }>>({
    category: 'usage',
    what: (f) =>
      `Resend ${f.batchId} is not the one that was planned: its rows or its choices changed.`,
    why: 'A resend is carried out as it was seen, or not at all. Nothing was sent.',
    fix: (f) =>
      `Look at what is left with "bursar resend ${f.parentBatchId} --dry-run", and confirm that.`,
  }),
  RESEND_OUTDATED: entry<OfBatch & Readonly<{ count: number; rows: string }>>({
    category: 'file',
    what: (f) =>
      `${counted(f.count, 'row')} of resend ${f.batchId} ${f.count === 1 ? 'is' : 'are'} not provably unpaid any more: ${f.rows}.`,
    why: 'They were read once more just before anything was sent. Somebody may have sent them again in the interface of the service.',
    fix: 'Nothing of the resend was sent. Look at the rows with "bursar explain"; then resend what is left: bursar resend BATCH',
  }),
  RESEND_UNREAD: entry<OfBatch & Readonly<{ massPayouts: string }>>({
    category: 'unreachable',
    what: (f) =>
      `The service does not answer whether the rows of resend ${f.batchId} are still unpaid (${f.massPayouts}).`,
    why: 'Rows are read once more just before they are sent again, and without an answer nothing is sent.',
    fix: 'Try again when the service answers.',
  }),
  RECOVERY_TOTALS_UNKNOWN: entry<OfBatch>({
    category: 'usage',
    what: (f) => `The totals of batch ${f.batchId} are not known yet.`,
    why: 'A person confirms the totals before anything is paid, and the store does not have those of this batch.',
    fix: 'Add --yes to go on with what its submitter confirmed, or name another batch.',
  }),
  RESEND_OTHER_ACCOUNT: entry<OfBatch & Readonly<{ account: string; ours: string }>>({
    category: 'usage',
    what: (f) =>
      `Batch ${f.batchId} was paid from account ${f.account}, and the settings name ${f.ours}.`,
    why: 'Its rows can only be read, and sent again, from the account that they failed on.',
    fix: 'Set api.account to that account.',
  }),
};

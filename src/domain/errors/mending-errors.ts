import { stateInSentence } from '../text/state-words.ts';
import { counted } from '../text/counted.ts';
import { entry } from './entry.ts';

type OfBatch = Readonly<{ batchId: string }>;

/** Errors that stop a resend, or a recheck of an ended batch. */
export const MENDING_ERRORS = {
  BATCH_OPEN: entry<OfBatch & Readonly<{ state: string }>>({
    category: 'usage',
    what: (f) => `Batch ${f.batchId} has not ended yet (${stateInSentence(f.state)}).`,
    why: 'The outcomes of its rows are known with its report.',
    fix: (f) => `Wait for its end with "bursar watch ${f.batchId}".`,
  }),
  RESEND_EXISTS: entry<OfBatch & Readonly<{ child: string }>>({
    category: 'usage',
    what: (f) => `Batch ${f.batchId} was sent again already, as ${f.child}.`,
    why: 'Two resends of one batch would pay its rows twice. So each batch has one resend, and the next starts from that.',
    fix: (f) => `"bursar status ${f.child}" shows it. When it has ended: bursar resend ${f.child}`,
  }),
  BATCH_FORGOTTEN: entry<OfBatch>({
    category: 'operator',
    what: (f) =>
      `Batch ${f.batchId} has not ended, and Temporal no longer has it. Nothing was started.`,
    why: "Temporal's data was lost. A person must decide whether the store has everything that was sent.",
    fix: (f) =>
      `Continue it: bursar recover ${f.batchId}. If the store is an older copy too: bursar recover --store older`,
  }),
  RESEND_FORGOTTEN: entry<OfBatch & Readonly<{ child: string }>>({
    category: 'usage',
    what: (f) =>
      `Batch ${f.batchId} was sent again already, as ${f.child}, and the store does not have it.`,
    why: 'The store is an older copy. Another resend would pay the same rows again.',
    fix: (f) =>
      `First recover it: bursar recover ${f.child} --store older. If nothing of it is found: bursar resend ${f.batchId} --id ${f.child}`,
  }),
  BATCH_MAY_HAVE_BEGUN: entry<OfBatch & Readonly<{ code: string }>>({
    category: 'unreachable',
    what: (f) =>
      `Batch ${f.batchId} cannot continue (${f.code}), and cannot be refused: it may have begun to pay.`,
    why: 'The store is an older copy, and may lack sent requests. If the batch were rejected now, its rows could be paid twice.',
    fix: (f) =>
      `Correct the fault that ${f.code} names. The batch tries again by itself. It is refused when the service shows that nothing of it was sent.`,
  }),
  RESEND_REJECTED: entry<OfBatch>({
    category: 'usage',
    what: (f) => `Batch ${f.batchId} was rejected, so there is nothing to send again.`,
    why: 'None of its rows was sent. "bursar status" shows the reason.',
    fix: (f) =>
      `Correct the fault, and submit the file under another id: bursar submit FILE --id ${f.batchId}-2`,
  }),
  RESEND_NOTHING: entry<OfBatch & Readonly<{ unclear: number }>>({
    category: 'usage',
    what: (f) =>
      f.unclear === 0
        ? `No row of batch ${f.batchId} is provably unpaid.`
        : `No row of batch ${f.batchId} is provably unpaid. The outcome of ${f.unclear} is unknown.`,
    why: 'A resend pays only rows that failed at the service or were never sent. Refused rows are in nack.csv.',
    fix: (f) =>
      `"bursar rows ${f.batchId}" shows the outcome of each. Check unknown rows in the service before you pay them again.`,
  }),
  RESEND_UNSTATED: entry<Readonly<{ expected: string }>>({
    category: 'usage',
    what: 'It was not confirmed that these rows were not paid elsewhere.',
    why: 'Failed rows can also be sent again in the interface of the service, or from resend.csv. Two resends pay twice.',
    fix: (f) =>
      `Check it. Then add --confirm-not-paid-elsewhere, or type "${f.expected}" when asked.`,
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
    why: 'They were read again just before the resend. A person may have sent them again in the interface of the service.',
    fix: 'Nothing of the resend was sent. Check the rows with "bursar explain". Then resend the others: bursar resend BATCH',
  }),
  RESEND_UNREAD: entry<OfBatch & Readonly<{ massPayouts: string }>>({
    category: 'unreachable',
    what: (f) =>
      `The service does not answer whether the rows of resend ${f.batchId} are still unpaid (${f.massPayouts}).`,
    why: 'Rows are read again just before a resend. Without an answer nothing is sent.',
    fix: 'Try again when the service answers.',
  }),
  RECOVERY_TOTALS_UNKNOWN: entry<OfBatch>({
    category: 'usage',
    what: (f) => `The totals of batch ${f.batchId} are not known yet.`,
    why: 'A person confirms the totals before a payment, and the store does not have those of this batch.',
    fix: 'Add --yes to continue with the totals that its submitter confirmed. Or name another batch.',
  }),
  RESEND_OTHER_ACCOUNT: entry<OfBatch & Readonly<{ account: string; ours: string }>>({
    category: 'usage',
    what: (f) =>
      `Batch ${f.batchId} was paid from account ${f.account}, and the settings name ${f.ours}.`,
    why: 'Only the account that sent its rows can read them and send them again.',
    fix: 'Set api.account to that account.',
  }),
};

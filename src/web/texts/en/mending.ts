import type { OperatorReason } from '../../../domain/sending/send-command.ts';

/** Requests with an unclear result, and failed payments that are paid again. */
export const EN_MENDING = {
  requests: {
    title: (number: number) => `Request ${number} has an unclear result`,
    reasons: {
      PAYOUT_DIFFERS:
        'The service has a payout under this key that differs from the request. Look at it in the service.',
      TWO_PAYOUTS:
        'The service has more than one payout for these rows. Look at all of them now: what waits there for a confirmation can still be declined. Then name the one that is to count.',
      SECOND_PAYOUT_POSSIBLE:
        'Two requests left, and a search by key missed the payout that exists. It would miss a second one too. Look for a second one in the service, then name the one that is to count.',
      LOOKUP_DISPROVEN:
        'A request may have arrived, and searches at this service contradicted themselves: that nothing is found proves nothing.',
      LOOKUP_UNPROVEN:
        'A request may have arrived, and it is not proven that a search by key would find it.',
      LOOKUP_FAILING: 'A request may have arrived, and the service does not answer searches.',
      RESEND_BY_OPERATOR:
        'A request may have arrived, and the settings leave it to a person whether it is sent again.',
      REJECTED_AFTER_DOUBT:
        'The service refused a request, but an earlier one may have arrived ("already exists" is a refusal too).',
      CREATED_NOT_FOUND:
        'The batch saw this payout made. The store is an older copy that lacks it, and the service does not find it.',
      ATTEMPTS_USED_UP: 'Several requests may have arrived, and none was found.',
    } satisfies Readonly<Record<OperatorReason, string>>,
    forgotten: 'The store was brought back from an older copy, or was lost:',
    forgottenUntil:
      'A batch of this name may have been sent before. Batches that are submitted later do not ask for that reason:',
    payments: 'Payments',
    requestId: 'Look for the request id',
    requestKey: 'or for the request key',
    mayNot: 'A person with the role "operate" must look at the service and answer.',
    question: 'What did you find at the service?',
    answers: {
      adopt: 'It is there. I name its id, and the batch follows it.',
      'not-created': 'It is not there. Send it again.',
      abandon: 'I cannot find out. Its payments stay unclear, and nothing is sent again.',
    },
    payout: 'Id of the payout at the service',
    payoutHint: 'As the service shows it.',
    looked:
      'I looked in the own pages of the service by the id and the key above, and it is not there. If it is there after all, its people are paid twice.',
    button: 'Give this answer',
    answered: 'Your answer is stored.',
  },
  resend: {
    title: 'Pay failed payments again',
    about: 'A new batch pays the rows that were provably not paid. Look at them first.',
    unsentTitle: 'Submit the refused payments again',
    unsentAbout: 'Nothing was sent. A new batch with the same payments needs new approvals.',
    stopped: 'Why they were not paid',
    open: 'Look at them',
    plan: 'What would be paid again',
    reasons: 'Why they are paid again',
    inFile: 'Rows of the file',
    before: 'After batch',
    why: 'The service shows that they were not paid, or they were never sent. Each is read again before it is sent.',
    leftOut: (count: string, rows: string) =>
      `Left out, since it is not proven that they were not paid: ${count} (row ${rows}).`,
    statement:
      'I checked that nobody sent any of these payments again elsewhere: in the own pages of the service, or by another file.',
  },
};

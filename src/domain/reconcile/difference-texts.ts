/** The meaning of a kind of difference for a person. */
type DifferenceText = Readonly<{
  /** Whether a person must act; otherwise it is only shown. */
  mustLook: boolean;
  /** What its count counts. */
  of: 'rows' | 'transactions' | 'mass payouts' | 'lists';
  what: string;
  fix: string;
}>;

const IN_THE_SERVICE = "the service's own interface";

/**
 * Every difference between file, engine, mass payouts and wallet, in the order of the output. Codes are never renamed
 * or used again: statements and scripts keep them.
 */
export const DIFFERENCE_TEXTS = {
  UNPAID_ROW_PAID: {
    mustLook: true,
    of: 'rows',
    what: 'In the batch the row was not paid. The wallet shows a transaction that pays it.',
    fix: `Do not resend the row. Check its mass payout in ${IN_THE_SERVICE}: a person may have sent it again there.`,
  },
  DOUBTFUL_ROW_PAID: {
    mustLook: true,
    of: 'rows',
    what: 'The batch has no mass payout for the row. The wallet shows a transaction that pays it.',
    fix: `Do not answer "not-created" for its chunk. Find the mass payout in ${IN_THE_SERVICE}, and adopt it.`,
  },
  PAID_AGAIN: {
    mustLook: true,
    of: 'transactions',
    what: 'There is one more transaction like that of a row. No batch of this store made it.',
    fix: `Find the transaction in ${IN_THE_SERVICE}: who sent it, and must the recipient return it? If it is older than the row, it is another payment.`,
  },
  ROW_WITHOUT_TRANSACTION: {
    mustLook: true,
    of: 'rows',
    what: 'At the service the row is paid. The wallet shows no transaction for it.',
    fix: 'Ask the service for its transaction, by mass payout, address and amount. Do not pay it again before the answer.',
  },
  ROW_CONTESTED: {
    mustLook: true,
    of: 'rows',
    what: 'Rows of this batch and of another one pay the same. Together they have too few transactions.',
    fix: 'One of them was not paid. Reconcile the other batch too, and ask the service for the transactions of both.',
  },
  OTHER_AMOUNT: {
    mustLook: true,
    of: 'transactions',
    what: 'A row has no transaction. Its address got another amount or currency.',
    fix: 'Ask the service whether this is the payment of the row, and why it differs.',
  },
  STRAY_TRANSACTION: {
    mustLook: true,
    of: 'transactions',
    what: 'An address of the file got a payment that no batch of this store made.',
    fix: `Find the transaction in ${IN_THE_SERVICE}. If it is intended, there is nothing to do.`,
  },
  UNKNOWN_ROW_PAID: {
    mustLook: true,
    of: 'rows',
    what: 'The outcome of the row was unknown. The wallet shows a transaction that pays it.',
    fix: 'The row is most likely paid. Compare the hash with the record of the service, and do not pay it again.',
  },
  UNKNOWN_ROW_UNSEEN: {
    mustLook: true,
    of: 'rows',
    what: 'The outcome of the row is unknown. The wallet shows no transaction for it.',
    fix: 'It may still be on its way. Ask the service, and do not pay it again before the answer.',
  },
  WITHDRAWAL_CHANGED: {
    mustLook: true,
    of: 'rows',
    what: "The service's own record of the withdrawal has changed since the batch ended.",
    fix: 'The record counts. Do not resend a row whose record is COMPLETED.',
  },
  MASS_PAYOUT_CHANGED: {
    mustLook: true,
    of: 'mass payouts',
    what: 'The state of the mass payout has changed since its rows got their outcomes.',
    fix: `A person changed it in ${IN_THE_SERVICE}. Do not resend its rows before the report lists them.`,
  },
  MASS_PAYOUT_DIFFERS: {
    mustLook: true,
    of: 'mass payouts',
    what: 'The mass payout at the service differs from the request.',
    fix: `Check the mass payout in ${IN_THE_SERVICE}.`,
  },
  MASS_PAYOUT_UNREAD: {
    mustLook: true,
    of: 'mass payouts',
    what: 'The mass payout cannot be read.',
    fix: 'Try again. If it fails again, ask the service about it.',
  },
  FEE_CHANGED: {
    mustLook: true,
    of: 'mass payouts',
    what: 'The fee of the mass payout has changed since its end.',
    fix: 'Ask the service for the reason. The report has the earlier fee.',
  },
  FEES_DIFFER: {
    mustLook: true,
    of: 'mass payouts',
    what: 'The fees of the mass payouts are not the sum of the fees of their transactions.',
    fix: 'Ask the service which of the two was charged.',
  },
  LIST_UNSETTLED: {
    mustLook: true,
    of: 'lists',
    what: 'The list of transactions changed with each read. The differences may come from that.',
    fix: 'Reconcile again when nothing is being paid from the account.',
  },
  OTHER_CURRENCY: {
    mustLook: false,
    of: 'transactions',
    what: 'An address of the file got a payment in a currency that the file does not have for it.',
    fix: 'Nothing, if it is intended.',
  },
  LIST_REPEATS: {
    mustLook: false,
    of: 'transactions',
    what: 'The list has this transaction on two pages, with the same fields.',
    fix: 'They count as two, since each read shows both. If they are one, inform the service.',
  },
  TRANSACTION_UNDATED: {
    mustLook: false,
    of: 'transactions',
    what: 'The date of the transaction cannot be read, so it may be older than the batch.',
    fix: 'Nothing, if everything else matches.',
  },
} as const satisfies Readonly<Record<string, DifferenceText>>;

export type DifferenceCode = keyof typeof DIFFERENCE_TEXTS;

export const DIFFERENCE_CODES = Object.keys(DIFFERENCE_TEXTS) as DifferenceCode[];

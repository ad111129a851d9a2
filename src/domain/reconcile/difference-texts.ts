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
    what: 'The batch says that the row was not paid, and the wallet shows a transaction that pays it.',
    fix: `Do not resend the row. Look at its mass payout in ${IN_THE_SERVICE}: somebody may have sent it again there.`,
  },
  DOUBTFUL_ROW_PAID: {
    mustLook: true,
    of: 'rows',
    what: 'The batch knows no mass payout for the row, and the wallet shows a transaction that pays it.',
    fix: `Do not answer "not-created" for its chunk. Find the mass payout in ${IN_THE_SERVICE}, and adopt it.`,
  },
  PAID_AGAIN: {
    mustLook: true,
    of: 'transactions',
    what: 'There is one more transaction just like that of a row, and no batch of this store made it.',
    fix: `Look the transaction up in ${IN_THE_SERVICE}: who sent it, and does the recipient owe it back? If it is older than the row, it was not meant by it.`,
  },
  ROW_WITHOUT_TRANSACTION: {
    mustLook: true,
    of: 'rows',
    what: 'The service calls the row paid, and the wallet shows no transaction for it.',
    fix: 'Do not pay it again before you know. Ask the service for its transaction, by mass payout, address and amount.',
  },
  ROW_CONTESTED: {
    mustLook: true,
    of: 'rows',
    what: 'Rows of this batch and of another one pay the same, and together they have too few transactions.',
    fix: 'One of them was not paid. Reconcile the other batch too, and ask the service for the transactions of both.',
  },
  OTHER_AMOUNT: {
    mustLook: true,
    of: 'transactions',
    what: 'A row lacks its transaction, and its address got another amount or currency.',
    fix: 'Ask the service whether this is the payment of the row, and why it differs.',
  },
  STRAY_TRANSACTION: {
    mustLook: true,
    of: 'transactions',
    what: 'An address of the file got a payment that no batch of this store asked for.',
    fix: `Look the transaction up in ${IN_THE_SERVICE}; if it is meant to be, this is all there is to it.`,
  },
  UNKNOWN_ROW_PAID: {
    mustLook: true,
    of: 'rows',
    what: 'Nobody knew what became of the row; the wallet shows a transaction that pays it.',
    fix: 'It is paid by all signs. Compare the hash with the record of the service, and do not pay it again.',
  },
  UNKNOWN_ROW_UNSEEN: {
    mustLook: true,
    of: 'rows',
    what: 'Nobody knows what became of the row, and the wallet shows no transaction for it.',
    fix: 'It may still be on its way. Ask the service, and do not pay it again before you know.',
  },
  WITHDRAWAL_CHANGED: {
    mustLook: true,
    of: 'rows',
    what: "The service's own record of the withdrawal says otherwise now than when the batch ended.",
    fix: 'Believe the record. Do not resend a row whose record says COMPLETED.',
  },
  MASS_PAYOUT_CHANGED: {
    mustLook: true,
    of: 'mass payouts',
    what: 'The mass payout is in another state now than when its rows were judged.',
    fix: `Somebody went on with it in ${IN_THE_SERVICE}. Do not resend its rows before the report says so.`,
  },
  MASS_PAYOUT_DIFFERS: {
    mustLook: true,
    of: 'mass payouts',
    what: 'What the service tells of the mass payout is not what was asked for.',
    fix: `Look at the mass payout in ${IN_THE_SERVICE}.`,
  },
  MASS_PAYOUT_UNREAD: {
    mustLook: true,
    of: 'mass payouts',
    what: 'The mass payout cannot be read.',
    fix: 'Try again. If it stays so, ask the service what became of it.',
  },
  FEE_CHANGED: {
    mustLook: true,
    of: 'mass payouts',
    what: 'The mass payout has another fee now than when it was settled.',
    fix: 'Ask the service for the reason. The report has the fee that was told then.',
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
    what: 'The list of transactions was another one each time that it was read, so the differences may come from that.',
    fix: 'Reconcile again when nothing is being paid from the account.',
  },
  OTHER_CURRENCY: {
    mustLook: false,
    of: 'transactions',
    what: 'An address of the file got a payment in a currency that it does not get by this file.',
    fix: 'Nothing, if it is meant to be.',
  },
  LIST_REPEATS: {
    mustLook: false,
    of: 'transactions',
    what: 'The list has this transaction twice, the same in every field, on two pages.',
    fix: 'They count as two, since it has them each time it is read. If they are one, tell the service.',
  },
  TRANSACTION_UNDATED: {
    mustLook: false,
    of: 'transactions',
    what: 'The transaction has no date that can be read, so that it may be older than the batch.',
    fix: 'Nothing, if everything else ties.',
  },
} as const satisfies Readonly<Record<string, DifferenceText>>;

export type DifferenceCode = keyof typeof DIFFERENCE_TEXTS;

export const DIFFERENCE_CODES = Object.keys(DIFFERENCE_TEXTS) as DifferenceCode[];

import { withCommas } from '../../domain/text/counted.ts';
import type { ShownZone } from '../../operations/context.ts';
import type { PayeeView } from '../../operations/payees/payee-view.ts';
import type { PayeePayment } from '../../operations/payees/payments-to.ts';
import type { ListedPayee } from '../../operations/payees/read-register.ts';
import { instantText } from '../../operations/text/instants.ts';
import { printable } from '../terminal/printable.ts';
import { createTable, factLines } from '../terminal/table.ts';

/** The words of a status; LISTED and UNLISTED are decisions of nobody. */
const STATUS_WORDS: Readonly<Record<PayeeView['status'], string>> = {
  LISTED: 'in the register',
  UNLISTED: 'not in the register',
  ALLOWED: 'allowed',
  DENIED: 'DENIED',
};

/** The table of payees. */
export function payeeListText() {
  const table = createTable([
    { title: 'ADDRESS', width: 44 },
    { title: 'NETWORK', width: 8 },
    { title: 'STATUS', width: 15 },
    { title: 'NAME', width: 24 },
    { title: 'LABELS', width: 0 },
  ]);
  return {
    header: table.header(),
    textOf: ({ address, network, status, name, labels }: PayeeView): string =>
      table.row([
        printable(address),
        network,
        STATUS_WORDS[status],
        printable(name ?? '-'),
        labels.join(' '),
      ]),
  };
}

/** One payee, with its payments where they were looked up. */
export function payeeText(payee: ListedPayee, clock: ShownZone): string {
  const { address, network, name, email, labels, status, decidedBy, decidedAt, reason } = payee;
  const { addedBy, addedAt, id, payments, firstPaid, lastPaid } = payee;
  return [
    printable(address),
    ...factLines([
      ['network', network],
      ...(name === null ? [] : [['name', printable(name)] as const]),
      ...(email === null ? [] : [['e-mail', email] as const]),
      ...(labels.length === 0 ? [] : [['labels', labels.join(' ')] as const]),
      ['status', STATUS_WORDS[status]],
      ...(decidedBy === null || decidedAt === null
        ? []
        : [['decided', `by ${printable(decidedBy)}, ${instantText(decidedAt, clock)}`] as const]),
      ...(reason === null ? [] : [['reason', printable(reason)] as const]),
      ...(addedBy === null || addedAt === null
        ? []
        : [['added', `by ${printable(addedBy)}, ${instantText(addedAt, clock)}`] as const]),
      ...(payments === undefined ? [] : [['paid', timesText(payments)] as const]),
      ...paymentFacts('first paid', firstPaid, clock),
      ...paymentFacts('last paid', lastPaid, clock),
      ['id', id],
    ]),
  ].join('\n');
}

const timesText = (payments: number): string =>
  payments === 0 ? 'never' : `in ${withCommas(payments)} ${payments === 1 ? 'row' : 'rows'}`;

const paymentFacts = (
  title: string,
  payment: PayeePayment | null | undefined,
  clock: ShownZone,
): (readonly [string, string])[] =>
  payment === null || payment === undefined
    ? []
    : [
        [
          title,
          `row ${payment.row} of ${printable(payment.batchId)}, ${instantText(payment.at, clock)}`,
        ],
      ];

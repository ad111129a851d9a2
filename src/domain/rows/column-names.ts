import { nearest } from '../text/nearest.ts';
import { COLUMNS, type RowColumn } from './row.ts';

/** Other names of the columns, as {@link plainName} writes them. */
export const ALIASES: Readonly<Record<RowColumn, readonly string[]>> = {
  address: ['depositaddress', 'walletaddress', 'wallet', 'to'],
  amount: ['sum'],
  currency: ['ticker', 'coin'],
  comment: ['note'],
  reference: ['ref'],
  name: ['payeename', 'recipientname', 'beneficiaryname', 'employeename'],
};

/** The column that Bursar adds to a file that is to be corrected. It is not read. */
export const ERROR_COLUMN = 'error';

/**
 * Names of a column with tags, which decide on some networks who gets the money. The service has no field for them
 * (spec, Payout: `massAddresses`).
 */
const TAG_NAMES: ReadonlySet<string> = new Set([
  ...['memo', 'tag', 'memotag', 'tagmemo', 'memo/tag', 'tag/memo', 'memoid'],
  ...['destinationtag', 'desttag', 'addresstag', 'paymentid'],
]);

/** Usual heads of columns in the files of merchants. They are suggestions: nothing is read by them. */
const USUAL: Readonly<Record<RowColumn, readonly string[]>> = {
  address: [
    ...['recipient', 'recipientaddress', 'beneficiary', 'beneficiaryaddress', 'payeeaddress'],
    ...['destination', 'destinationaddress', 'cryptoaddress', 'payto', 'addr'],
    ...['adresse', 'empfängeradresse', 'direccion', 'dirección', 'indirizzo', 'адрес', 'кошелек'],
  ],
  amount: [
    ...['value', 'payout', 'payment', 'net', 'netamount', 'total', 'totalamount', 'quantity'],
    ...['pay', 'netpay', 'salary', 'netsalary', 'wage', 'netto', 'lohn', 'nettolohn', 'gehalt'],
    ...['betrag', 'summe', 'montant', 'importe', 'importo', 'сумма'],
  ],
  currency: ['asset', 'token', 'symbol', 'ccy', 'währung', 'devise', 'moneda', 'valuta', 'валюта'],
  comment: [
    ...['comments', 'description', 'message', 'remark', 'remarks', 'purpose', 'notes', 'details'],
    ...['verwendungszweck', 'kommentar', 'комментарий'],
  ],
  reference: [
    ...['id', 'invoice', 'invoiceid', 'invoicenumber', 'invoiceno', 'orderid', 'externalid'],
    ...['employeeid', 'employeeno', 'employeenumber', 'staffid', 'personnelnumber'],
    ...['paymentreference', 'rechnungsnummer', 'personalnummer', 'personalnr'],
  ],
  name: [
    ...[
      'payee',
      'fullname',
      'employee',
      'person',
      'contractor',
      'supplier',
      'customer',
      'accountname',
    ],
    ...['mitarbeiter', 'empfänger', 'empfängername', 'nom', 'nombre', 'nome', 'имя', 'получатель'],
  ],
};

const byName = (names: typeof USUAL): ReadonlyMap<string, RowColumn> =>
  new Map(COLUMNS.flatMap((column) => names[column].map((name) => [name, column] as const)));

const KNOWN = new Map([
  ...COLUMNS.map((column) => [column as string, column] as const),
  ...byName(ALIASES),
]);
const SUGGESTED = byName(USUAL);

/** A name of a column in lower case, without spaces, line breaks, `_` and `-`, which make no difference. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[ \n_-]/g, '');

/** The column of a plain name. */
export const columnNamed = (plain: string): RowColumn | undefined => KNOWN.get(plain);

export const isTagName = (plain: string): boolean => TAG_NAMES.has(plain);

/** Letters of a name for each that may be wrong. Short names are near to too many others. */
const LETTERS_PER_EDIT = 4;
const EDITS_MAX = 2;

/** The column that a name probably stands for. A person decides whether it does. */
export function suggestedColumn(name: string): RowColumn | undefined {
  const [start = ''] = name.split('(');
  const plain = plainName(start).replace(/[.:#*]/g, '');
  const known = columnNamed(plain) ?? SUGGESTED.get(plain);
  if (known !== undefined) return known;
  const edits = Math.min(EDITS_MAX, Math.floor(plain.length / LETTERS_PER_EDIT));
  return KNOWN.get(nearest(plain, [...KNOWN.keys()], edits) ?? '');
}

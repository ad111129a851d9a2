import { isPlainName } from '../approval/people.ts';
import { startsLikeFormula } from '../files/csv.ts';
import { printable } from '../text/printable.ts';

/** Characters (UTF-16 units) of a name. */
export const PAYEE_NAME_CHARS_MAX = 200;

/** Labels of one payee. */
export const PAYEE_LABELS_MAX = 20;

/** Why a text cannot be the name of a payee; null: it can. The text ends a sentence that starts with "the name". */
export function payeeNameFault(name: string): string | null {
  if (name.length > PAYEE_NAME_CHARS_MAX) return `has more than ${PAYEE_NAME_CHARS_MAX} characters`;
  if (printable(name) !== name) return 'has a character that cannot be seen';
  return startsLikeFormula(name) ? 'starts as a formula of a spreadsheet does' : null;
}

/** Characters of an e-mail address, and of the parts around its sign. RFC 5321, section 4.5.3.1. */
export const PAYEE_EMAIL_CHARS_MAX = 254;

/** No name, no comment, no list, nothing that could end a header, and no beginning of a formula. */
const MAILBOX = /^[A-Za-z0-9!#$%&'*/?^_`{|}~][A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{0,63}$/;
const DOMAIN_PART = /^[A-Za-z0-9-]{1,63}$/;

/** Why a text cannot be the e-mail address of a payee; null: it can. The text ends a sentence that starts with "the e-mail". */
export function payeeEmailFault(email: string): string | null {
  if (email === '') return null;
  const [mailbox = '', domain = '', ...more] = email.split('@');
  const parts = domain.split('.');
  const isPlain =
    more.length === 0 &&
    email.length <= PAYEE_EMAIL_CHARS_MAX &&
    MAILBOX.test(mailbox) &&
    parts.length > 1 &&
    parts.every((part) => DOMAIN_PART.test(part));
  return isPlain ? null : 'is no plain address such as ann@example.com';
}

/** Reads labels: words with spaces, commas or semicolons between them. Each label stands once, in order. */
export const readPayeeLabels = (text: string): string[] =>
  [...new Set(text.split(/[\s,;]+/).filter((label) => label !== ''))].toSorted();

/** Why labels are refused; null: they are not. The text ends a sentence that starts with "a label". */
export function payeeLabelsFault(labels: readonly string[]): string | null {
  if (labels.length > PAYEE_LABELS_MAX) return `is one of more than ${PAYEE_LABELS_MAX}`;
  return labels.every(isPlainName)
    ? null
    : 'is not 1 to 64 letters, digits, dots, dashes or underscores';
}

import type { FindingCode } from '../../../domain/plan/finding.ts';

/** The sentence of a finding, and the reason with the remedy. */
type FindingTexts = Readonly<Record<FindingCode, readonly [what: string, remedy: string]>>;

/** Findings for people at the page: it has boxes to tick, and no commands. */
export const EN_FINDINGS: FindingTexts = {
  ADDRESS_CHANGED: [
    'Rows pay a payee who is known under another address.',
    'A message with new payment details is the most common fraud. Ask each payee in a way that you used before, not by an answer to the message that brought the address.',
  ],
  NAME_DIFFERS: [
    'Rows name a payee otherwise than the register does for the same address.',
    'The money may go to another person than the file names. Correct the row, or the name in the register.',
  ],
  DUPLICATE_ROW: [
    'Rows pay the same amount in the same currency to the same address as an earlier row.',
    'A file that was pasted or exported twice looks like this; two wages to one person do too. Remove the rows that are not meant.',
  ],
  DUPLICATE_IN_HISTORY: [
    'Rows pay the same as rows of an earlier batch.',
    'They were paid, or may yet be. Remove the rows that are not meant to be paid again.',
  ],
  OVERLAP: [
    'A large part of the rows is also in an earlier batch.',
    'A file that was sent again with a few changes looks like this. Look at the earlier batch, and remove what it pays.',
  ],
  LOOK_ALIKE_ADDRESS: [
    'Rows pay to an address that starts and ends like another one.',
    'People compare the ends of an address, and thieves make addresses with the same ends. Compare the whole address with its owner, character by character.',
  ],
  OWN_ADDRESS: [
    'Rows pay to the account itself or to one of its wallets.',
    'An address that was copied from the wrong place looks like this. Use the address of the person.',
  ],
  PAYEE_DENIED: [
    'Rows pay to an address that may not be paid.',
    'A person decided that. Remove the rows, or ask your operator who decided it and why.',
  ],
  PAYEE_UNKNOWN: [
    'Rows pay a large amount to an address that is not known.',
    'Confirm the address with its owner. Your operator can add it to the known addresses.',
  ],
  FIRST_TIME_PAYEE: [
    'Rows pay to an address that was never paid in this currency before.',
    'A changed address is how most money is lost to fraud. Confirm new addresses with their owners, not by an answer to the message that brought them.',
  ],
  AMOUNT_ABOVE_HABIT: [
    'Rows pay more than ten times what their address ever got in this currency.',
    'A lost decimal point looks like this. Compare the amounts with their source.',
  ],
  LIMIT_ROW: ['Rows pay more than one row may.', 'Correct the amounts, or have the limit raised.'],
  LIMIT_PAYEE: [
    'Rows pay more to one address than a batch may.',
    'Correct the amounts, or have the limit raised.',
  ],
  LIMIT_BATCH: [
    'The rows pay more than a batch may.',
    'Pay in several batches, or have the limit raised.',
  ],
  CURRENCY_NAMED_TWICE: [
    'One currency is written in two ways.',
    'Limits and approvals would miss what stands under the other name. Write it in one way, the one that the service uses.',
  ],
  UNKNOWN_NETWORK: [
    'Rows are in a currency, or on a network, that Bursar does not know.',
    'Their addresses and decimals could not be checked. Correct the currency, unless the service knows it.',
  ],
  ADDRESS_WITHOUT_CHECKSUM: [
    'Rows have addresses in a form without a checksum.',
    'A mistyped letter in them cannot be noticed. Compare them with their source, or use the form with a checksum.',
  ],
  ADDRESS_BURN: [
    'Rows pay to an address from which nobody can spend.',
    'Money sent there is lost. Remove the rows.',
  ],
  ADDRESS_TOKEN_CONTRACT: [
    'Rows pay to the contract of a token.',
    'Money sent to a contract is usually lost. Use the address of the person.',
  ],
  TAG_MAY_BE_NEEDED: [
    'Rows pay on a network on which exchanges ask for a tag or memo.',
    'The service has no field for it. Ask the recipients whether their address needs one.',
  ],
  ROWS_SKIPPED: [
    'Wrong rows are left out, as you chose.',
    'They are not paid. Correct them, and pay them as a batch of their own.',
  ],
  SAME_FILE_AGAIN: [
    'The same rows were already submitted as another batch.',
    'Paying one file under two names pays everybody twice. Look at the earlier batch, and go on only if a second payment is meant.',
  ],
};

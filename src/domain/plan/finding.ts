import type { EndState } from '../batch/batch-state.ts';
import type { RowNumber } from '../rows/row.ts';

/** `block` stops a batch, `confirm` must be accepted by code before money moves, `info` is only listed. */
export type Severity = 'block' | 'confirm' | 'info';

/** `orAccept` goes on after `fix` where a finding can be accepted. */
type Sentences = Readonly<{
  severity: Severity;
  what: string;
  why: string;
  fix: string;
  orAccept?: string;
}>;

/** Facts that a person must see before money moves. Codes are never renamed: plans, audits and reports keep them. */
export const FINDINGS = {
  ADDRESS_CHANGED: {
    severity: 'confirm',
    what: 'Rows pay a payee who is known under another address.',
    why: 'A message with new payment details is the most common fraud.',
    fix: 'Ask each payee in a way that you used before, not by an answer to the message that brought the address',
    orAccept: '; then accept',
  },
  NAME_DIFFERS: {
    severity: 'confirm',
    what: 'Rows name a payee otherwise than the register of payees does for the same address.',
    why: 'The money may go to another person than the file names.',
    fix: 'Correct the row, or the name in the register with "bursar payees name"',
    orAccept: ', or accept',
  },
  DUPLICATE_ROW: {
    severity: 'confirm',
    what: 'Rows pay the same amount in the same currency to the same address as an earlier row.',
    why: 'The file may have been pasted or exported twice. Or one person gets two payments.',
    fix: 'Remove the rows that are not intended',
    orAccept: ', or accept',
  },
  DUPLICATE_IN_HISTORY: {
    severity: 'confirm',
    what: 'Rows pay the same as rows of an earlier batch.',
    why: 'The earlier rows were paid, or may be paid, within the days of this check.',
    fix: 'Remove the rows that are not intended',
    orAccept: ', or accept',
  },
  OVERLAP: {
    severity: 'confirm',
    what: 'A large part of the rows is also in an earlier batch.',
    why: 'An earlier file may have been sent again with a few changes.',
    fix: 'Check the earlier batch, and remove the rows that it pays',
    orAccept: ', or accept',
  },
  LOOK_ALIKE_ADDRESS: {
    severity: 'confirm',
    what: 'Rows pay to an address that starts and ends like another one.',
    why: 'People compare the ends of an address. Thieves make addresses with the same ends.',
    fix: 'Compare the whole address with its owner, character by character',
    orAccept: '; then accept',
  },
  OWN_ADDRESS: {
    severity: 'confirm',
    what: 'Rows pay to the account itself or to one of its wallets.',
    why: 'The address may have been copied from the wrong place.',
    fix: 'Use the address of the person',
    orAccept: '; or accept',
  },
  PAYEE_DENIED: {
    severity: 'block',
    what: 'Rows pay to an address that the register of payees denies.',
    why: 'A person decided that it may not be paid. "bursar payees show ADDRESS" shows who and why.',
    fix: 'Remove the rows. If the denial was a mistake, lift it with "bursar payees allow"',
  },
  PAYEE_UNKNOWN: {
    severity: 'confirm',
    what: 'Rows pay a large amount to an unknown address.',
    why: 'Above an amount the settings require a known address (payees.known_above).',
    fix: 'Confirm the address with its owner, and add it with "bursar payees allow"',
    orAccept: ', or accept',
  },
  FIRST_TIME_PAYEE: {
    severity: 'info',
    what: 'Rows pay to an address that was never paid in this currency before.',
    why: 'Most fraud works with a changed address.',
    fix: 'Confirm new addresses with their owners. Do not reply to the message with the address',
  },
  AMOUNT_ABOVE_HABIT: {
    severity: 'confirm',
    what: 'Rows pay more than ten times the largest earlier payment to their address in this currency.',
    why: 'A decimal point may be missing.',
    fix: 'Compare the amounts with their source',
    orAccept: ', or accept',
  },
  LIMIT_ROW: {
    severity: 'block',
    what: 'Rows pay more than one row may.',
    why: 'The settings set this limit (limits.row).',
    fix: 'Correct the amounts, or have the limit raised',
  },
  LIMIT_PAYEE: {
    severity: 'block',
    what: 'Rows pay more to one address than a batch may.',
    why: 'The settings set this limit (limits.payee).',
    fix: 'Correct the amounts, or have the limit raised',
  },
  LIMIT_BATCH: {
    severity: 'block',
    what: 'The rows pay more than a batch may.',
    why: 'The settings set this limit (limits.batch).',
    fix: 'Pay in several batches, or have the limit raised',
  },
  CURRENCY_NAMED_TWICE: {
    severity: 'block',
    what: 'One currency has two names, in the file or in the file and a rule.',
    why: 'Limits and approvals count each currency by its name, and would miss the other name.',
    fix: 'Use the name of the service, in the file and in the settings',
  },
  UNKNOWN_NETWORK: {
    severity: 'confirm',
    what: 'Rows are in a currency, or on a network, that Bursar does not know.',
    why: 'Their addresses or decimals could not be checked.',
    fix: 'Correct the currency',
    orAccept: ', or accept when the service knows it',
  },
  ADDRESS_WITHOUT_CHECKSUM: {
    severity: 'info',
    what: 'Rows have addresses in a form without a checksum.',
    why: 'A mistyped letter in them cannot be noticed.',
    fix: 'Compare them with their source, or use the form with a checksum',
  },
  ADDRESS_BURN: {
    severity: 'confirm',
    what: 'Rows pay to an address from which no one can spend.',
    why: 'Money sent there is lost.',
    fix: 'Remove the rows',
    orAccept: ', or accept',
  },
  ADDRESS_TOKEN_CONTRACT: {
    severity: 'confirm',
    what: 'Rows pay to the contract of a token.',
    why: 'Money sent to a contract is usually lost.',
    fix: 'Use the address of the person',
    orAccept: '; or accept',
  },
  TAG_MAY_BE_NEEDED: {
    severity: 'info',
    what: 'Rows pay on a network where exchanges need a tag or memo.',
    why: 'The service has no field for it.',
    fix: 'Ask the recipients whether their address needs one',
  },
  ROWS_SKIPPED: {
    severity: 'info',
    what: 'Rows were refused and are left out, as --skip-invalid asks.',
    why: 'They are in nack.csv, and count as NOT_SENT in the report.',
    fix: 'Correct them and submit them as another batch',
  },
  SAME_FILE_AGAIN: {
    severity: 'confirm',
    what: 'The same rows were already submitted as another batch.',
    why: 'A file that is paid under two ids pays each person twice.',
    fix: 'Check the earlier batch',
    orAccept: '; accept only if a second payment is intended',
  },
} as const satisfies Record<string, Sentences>;

export type FindingCode = keyof typeof FINDINGS;

/** How many rows a finding names; the count is of all. */
export const FINDING_EXAMPLES_MAX = 20;

/** A finding in one file: how often, and the first rows. `detail` names its special value ("same as row 12"). */
export type Finding = Readonly<{
  code: FindingCode;
  count: number;
  examples: readonly FindingExample[];
}>;

/** A row that a finding names; 0: the whole file. */
export type FindingExample = Readonly<{
  row: RowNumber;
  detail: string;
  /** Of ADDRESS_CHANGED, as long as the row has its text. */
  change?: AddressChange;
  /** The earlier batch of SAME_FILE_AGAIN, DUPLICATE_IN_HISTORY and OVERLAP. `endState`: of SAME_FILE_AGAIN; null: it has not ended. */
  earlier?: Readonly<{ batchId: string; endState?: EndState | null }>;
}>;

/** A payee whose address changed. `payee`: name and reference of the row. `payment`: the amount, as people read it. */
export type AddressChange = Readonly<{
  payee: string;
  payment: string;
  /** The address of the row. */
  address: string;
  /** The address that was known. */
  before: string;
  /** The batch that paid it last, and when, in ISO 8601; null: the register of payees has the address. */
  batchId: string | null;
  paidAt: string | null;
}>;

/**
 * The findings without the texts of their rows, which name people and addresses. The numbers of the rows stay, so a plan
 * with these findings has the same digest.
 */
export const withoutRowTexts = <Found extends Finding>(findings: readonly Found[]): Found[] =>
  findings.map((finding) => ({
    ...finding,
    examples: finding.examples.map(({ row, detail }) => ({ row, detail: row > 0 ? '' : detail })),
  }));

export const FINDING_CODES = Object.keys(FINDINGS) as [FindingCode, ...FindingCode[]];

export const isFindingCode = (code: string): code is FindingCode => Object.hasOwn(FINDINGS, code);

/** How serious a finding is by its code alone; settings can only raise that. */
export function severityOf(code: FindingCode, raised: RaisedFindings): Severity {
  const { severity } = FINDINGS[code];
  if (severity === 'block' || raised.block.includes(code)) return 'block';
  return raised.confirm.includes(code) ? 'confirm' : severity;
}

/** How a finding stands in a plan: how serious it is there, and whether its code was accepted. */
export type FindingStatus = Readonly<{ severity: Severity; accepted: boolean }>;

/** The next step for a finding. It names no acceptance for one that cannot be accepted, or is accepted already. */
export function fixOf(code: FindingCode, { severity, accepted }: FindingStatus): string {
  const { severity: lowest, fix, orAccept = '' }: Sentences = FINDINGS[code];
  if (severity === 'confirm' && accepted) return `${fix}. This is accepted already.`;
  if (severity !== 'block') return `${fix}${orAccept}.`;
  return lowest === 'block'
    ? `${fix}.`
    : `${fix}. Your policy does not allow accepting this (findings.block).`;
}

/** Findings that stop the batch: every `block`, and each `confirm` without acceptance. */
export const openFindings = (
  findings: readonly Finding[],
  accepted: readonly string[],
  raised: RaisedFindings,
): Finding[] =>
  findings.filter(({ code }) => {
    const severity = severityOf(code, raised);
    return severity === 'block' || (severity === 'confirm' && !accepted.includes(code));
  });

/** Findings that the settings take more seriously than their code does. */
export type RaisedFindings = Readonly<{
  confirm: readonly FindingCode[];
  block: readonly FindingCode[];
}>;

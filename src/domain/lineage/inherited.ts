import type { FindingCode } from '../plan/finding.ts';

/**
 * Findings that a person who accepted them for a batch has accepted for its resends too: they are about a row itself.
 * The payments of other batches are checked again for each resend.
 */
const ABOUT_ROWS: readonly FindingCode[] = [
  'DUPLICATE_ROW',
  'UNKNOWN_NETWORK',
  'ADDRESS_BURN',
  'ADDRESS_TOKEN_CONTRACT',
];

export const inheritedFindings = (accepted: readonly string[]): string[] =>
  accepted.filter((code) => ABOUT_ROWS.some((each) => each === code));

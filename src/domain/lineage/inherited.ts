import type { FindingCode } from '../plan/finding.ts';

/**
 * Findings that whoever accepted them for a batch has accepted for its resends too: they are about a row itself. What other
 * batches have paid is another question each time.
 */
const ABOUT_ROWS: readonly FindingCode[] = [
  'DUPLICATE_ROW',
  'UNKNOWN_NETWORK',
  'ADDRESS_BURN',
  'ADDRESS_TOKEN_CONTRACT',
];

export const inheritedFindings = (accepted: readonly string[]): string[] =>
  accepted.filter((code) => ABOUT_ROWS.some((each) => each === code));

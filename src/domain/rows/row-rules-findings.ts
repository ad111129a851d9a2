import { type CurrencyInfo, isFullyKnown, mayNeedTag } from '../currencies/currency-info.ts';
import type { FindingCode } from '../plan/finding.ts';
import type { AcceptedRow } from './row-rules.ts';

/** A fact about one row that a person must see, and its special value. */
export type RowFinding = readonly [FindingCode, detail: string];

const NONE: readonly RowFinding[] = [];

/** The findings that follow from one row alone; most rows have none. */
export function findingsOf({ row, address, info }: AcceptedRow): readonly RowFinding[] {
  const isTagged = mayNeedTag(row.currency, info);
  if (isFullyKnown(info) && address.checksum === 'verified' && !('note' in address) && !isTagged) {
    return NONE;
  }
  const findings: RowFinding[] = [];
  if (!isFullyKnown(info)) findings.push(['UNKNOWN_NETWORK', currencyText(row.currency, info)]);
  if (address.checksum === 'none') findings.push(['ADDRESS_WITHOUT_CHECKSUM', row.address]);
  if ('note' in address) {
    const code = address.note === 'burn' ? 'ADDRESS_BURN' : 'ADDRESS_TOKEN_CONTRACT';
    findings.push([code, row.address]);
  }
  if (isTagged && !hasTag(address.canonical, info.network)) {
    findings.push(['TAG_MAY_BE_NEEDED', row.address]);
  }
  return findings;
}

/** The currency, and the known ones that it may mean. */
const currencyText = (currency: string, { alternatives }: CurrencyInfo): string =>
  alternatives === undefined ? currency : `${currency}; is ${alternatives.join(' or ')} meant?`;

/** An X-address of the XRP Ledger carries its tag; nothing else does. */
const hasTag = (canonical: string, network: string | undefined): boolean =>
  network === 'xrp' && canonical.includes(':');

import { csvLine, spreadsheetSafe } from '../files/csv.ts';

/** The columns of an export, which an import reads. */
export const EXPORT_COLUMNS = [
  ...['address', 'network', 'name', 'labels', 'status', 'reason', 'decided_by', 'decided_at'],
  'email',
];

/** A payee as an export has it. */
export type ExportedPayee = Readonly<{
  address: string;
  network: string;
  name: string | null;
  labels: readonly string[];
  status: string;
  reason: string | null;
  decidedBy: string | null;
  decidedAt: string | null;
  email: string | null;
}>;

/** A line of an export, without its end. No cell is a formula, whatever a person wrote as a reason. */
export function exportLine(payee: ExportedPayee): string {
  const { address, network, name, labels, status, reason, decidedBy, decidedAt, email } = payee;
  const decided = [status, reason, decidedBy, decidedAt];
  const texts = [address, network, name, labels.join(' '), ...decided, email];
  return csvLine(texts.map((text) => spreadsheetSafe(text ?? '')));
}

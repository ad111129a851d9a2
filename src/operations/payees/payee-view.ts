import type { Payee, PayeeDecision, PayeeKey } from '../../domain/payees/payee.ts';
import { payeeIdOf } from '../../domain/payees/payee-address.ts';

/** A payee as JSON. Instants are ISO 8601 in UTC. */
export type PayeeView = Readonly<{
  /** Names the payee in the audit log. */
  id: string;
  network: string;
  /** As it was written first. */
  address: string;
  name: string | null;
  /** Where it receives notices of payments. */
  email: string | null;
  labels: readonly string[];
  /** LISTED: it is in the register, and no person has decided. UNLISTED: it is not in the register. */
  status: 'LISTED' | 'UNLISTED' | PayeeDecision;
  decidedBy: string | null;
  decidedAt: string | null;
  reason: string | null;
  addedBy: string | null;
  addedAt: string | null;
}>;

export const payeeView = (account: string, payee: Payee): PayeeView => ({
  id: payeeIdOf(account, payee),
  network: payee.network,
  address: payee.written,
  name: payee.name === '' ? null : payee.name,
  email: payee.email === '' ? null : payee.email,
  labels: payee.labels,
  status: payee.decision?.kind ?? 'LISTED',
  decidedBy: payee.decision?.by ?? null,
  decidedAt: payee.decision === null ? null : isoOf(payee.decision.atMs),
  reason: payee.decision?.reason ?? null,
  addedBy: payee.addedBy,
  addedAt: isoOf(payee.addedAtMs),
});

/** An address that is not in the register. */
export const unlistedView = (
  account: string,
  key: PayeeKey & Readonly<{ written: string }>,
): PayeeView => ({
  id: payeeIdOf(account, key),
  network: key.network,
  address: key.written,
  name: null,
  email: null,
  labels: [],
  status: 'UNLISTED',
  decidedBy: null,
  decidedAt: null,
  reason: null,
  addedBy: null,
  addedAt: null,
});

const isoOf = (ms: number): string => new Date(ms).toISOString();

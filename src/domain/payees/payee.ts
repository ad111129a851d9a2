import type { RowNumber } from '../rows/row.ts';

/** The decisions of a person about a payee. */
export type PayeeDecision = 'ALLOWED' | 'DENIED';

/** The name of a payee: an address on a family of networks. An unknown network is named by its currency. */
export type PayeeKey = Readonly<{
  network: string;
  /** The canonical address, by which payees are compared. */
  address: string;
}>;

/** A wallet address that an account pays, as its register has it. */
export type Payee = PayeeKey &
  Readonly<{
    /** The address as it was written first. */
    written: string;
    /** Empty: it has no name. */
    name: string;
    /** Where it receives notices of payments. Empty: it receives none. */
    email: string;
    labels: readonly string[];
    addedAtMs: number;
    addedBy: string;
    /** null: no person has decided. */
    decision: Readonly<{
      kind: PayeeDecision;
      by: string;
      atMs: number;
      reason: string;
    }> | null;
  }>;

/** A row of an import file. A field that the file lacks is empty. */
export type ImportedPayee = PayeeKey &
  Readonly<{
    row: RowNumber;
    written: string;
    name: string;
    email: string;
    labels: readonly string[];
    decision: PayeeDecision | null;
    reason: string;
  }>;

/** Who changes the register, and when. */
export type PayeeActor = Readonly<{ by: string; atMs: number }>;

const newPayee = (
  { network, address, written }: PayeeKey & Readonly<{ written: string }>,
  { by, atMs }: PayeeActor,
): Payee => ({
  network,
  address,
  written,
  name: '',
  email: '',
  labels: [],
  addedAtMs: atMs,
  addedBy: by,
  decision: null,
});

/**
 * The payee after an import. A name, an e-mail address or labels of the file replace those of the register.
 * An import never lifts a denial, so an old file cannot allow a payee again.
 */
export function importedOver(
  known: Payee | undefined,
  row: ImportedPayee,
  actor: PayeeActor,
): Payee {
  const payee = known ?? newPayee(row, actor);
  const isDecided =
    row.decision === null ||
    payee.decision?.kind === 'DENIED' ||
    payee.decision?.kind === row.decision;
  const decision =
    isDecided || row.decision === null
      ? payee.decision
      : { kind: row.decision, ...actor, reason: row.reason };
  return {
    ...payee,
    name: row.name === '' ? payee.name : row.name,
    email: row.email === '' ? payee.email : row.email,
    labels: row.labels.length === 0 ? payee.labels : row.labels,
    decision,
  };
}

/** The payee after a decision. A payee that is not in the register is added to it. */
export const decidedOver = (
  known: Payee | undefined,
  asked: PayeeKey & Readonly<{ written: string; kind: PayeeDecision; reason: string }>,
  actor: PayeeActor,
): Payee => ({
  ...(known ?? newPayee(asked, actor)),
  decision: { kind: asked.kind, ...actor, reason: asked.reason },
});

/** Whether a word is part of the address, the name or a label, in either case. */
export function payeeMatches({ address, written, name, labels }: Payee, word: string): boolean {
  const wanted = word.toLowerCase();
  return [address, written, name, ...labels].some((text) => text.toLowerCase().includes(wanted));
}

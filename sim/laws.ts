/** The invariants that hold in every run. docs/proof.md says them at length. */
export const LAWS = {
  I1: 'no row is paid twice',
  I2: 'every row is in exactly one outcome, and it is the one of the ledger',
  I3: 'money that left is what is told as PAID, what was paid of UNKNOWN rows, and fees',
  I4: 'nothing is resent that was paid, is in flight, or was resent by a person',
  I5: 'no second create of a key while the first may still be accepted, or after few lookups, and never with another body',
  I6: 'no create is begun while people keep the batch from sending',
  I8: 'everything comes to its end',
  I11: 'nobody is asked, and lookups are not disproven, where the service keeps its rules, whatever share of its answers is broken',
  I12: 'a batch with rows that were ordered twice names them, and is never told as COMPLETED; no create rests on lookups that contradicted themselves',
  I13: 'no row that was told as PAID is called unpaid later, whatever the service says',
  I14: 'money that was taken twice in silence is never called explained, nor let go once a read showed it, and exact books raise no alarm',
  I15: 'a batch is released after its approval, its time and its money, and on fees and rows that were read after it waited',
} as const;
export type Law = keyof typeof LAWS;

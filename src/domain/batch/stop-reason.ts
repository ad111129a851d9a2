type Act = Readonly<{ by: string; reason: string }>;

/** Why nothing more of a batch is sent that a person has canceled. */
export const canceledReason = ({ by, reason }: Act): string => `canceled by ${by}: ${reason}`;

/** Why nothing more of a batch is sent; null while everything goes on. */
export function stopReasonOf({
  canceled,
  refused,
  halted,
}: Readonly<{ canceled: Act | null; refused: Act | null; halted: string | null }>): string | null {
  if (canceled !== null) return canceledReason(canceled);
  return refused === null ? halted : `refused by ${refused.by}: ${refused.reason}`;
}

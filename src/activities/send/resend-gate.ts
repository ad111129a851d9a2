import type { ResendGate } from './types.ts';
import {
  type ConfirmDeps,
  blockUnlessUnpaid,
  closeUnlessUnpaid,
} from '../recheck/confirm-unpaid.ts';

/** How long the proof that the rows are unpaid counts, in milliseconds. */
const PROOF_MS = 600_000;

/**
 * Checks that the rest of a resend is still unpaid, when the last check is too old: a hold, or a worker that was away,
 * can lie between two of its creates, and people send rows again in the service's own interface. Rows that are no
 * longer unpaid are closed. `begun`: a chunk that has an attempt already; it is checked by itself, and before each
 * attempt, since a fence lies between two of them.
 */
export function createResendGate(deps: ConfirmDeps): ResendGate {
  const proofs = new Map<string, Readonly<{ atMs: number; made: Promise<unknown> }>>();
  return async (batchId, begun) => {
    const name = [batchId, begun?.chunk, begun?.attempt].join(' ');
    const known = proofs.get(name);
    const ageMs = deps.nowMs() - (known?.atMs ?? 0);
    if (known !== undefined && ageMs >= 0 && ageMs <= PROOF_MS) {
      await known.made;
      return;
    }
    const made =
      begun === undefined
        ? closeUnlessUnpaid(deps, batchId)
        : blockUnlessUnpaid(deps, batchId, begun.chunk);
    proofs.set(name, { atMs: deps.nowMs(), made });
    try {
      // A chunk that had to be verified was not closed, and is checked again.
      if ((await made) !== null) proofs.delete(name);
    } catch (error) {
      proofs.delete(name);
      throw error;
    }
  };
}

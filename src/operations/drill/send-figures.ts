import type { AttemptOutcome, SendRecord } from '../../domain/sending/send-record.ts';
import type { Store } from '../../store/index.ts';

/** What became of the create requests of a batch, in counts. */
export type SendFigures = Readonly<{
  chunks: number;
  /** Requests that left. */
  sends: number;
  /** Requests without an answer that shows whether the service took them. */
  inDoubt: number;
  /** Mass payouts that a lookup found after such a request, so that it was not repeated. */
  adopted: number;
}>;

/** Outcomes of attempts that never left. */
const UNSENT: readonly AttemptOutcome[] = ['VOID', 'NOT_SENT'];
const UNCLEAR: readonly AttemptOutcome[] = ['AMBIGUOUS', 'PENDING'];

/** Counts the sends of some chunks. */
export function sendFiguresOf(records: readonly SendRecord[]): SendFigures {
  const attempts = records.flatMap((record) => record.attempts);
  const outcomes = attempts.map(({ outcome }) => outcome);
  return {
    chunks: records.length,
    sends: outcomes.filter((outcome) => !UNSENT.includes(outcome)).length,
    inDoubt: outcomes.filter((outcome) => UNCLEAR.includes(outcome)).length,
    adopted: records.filter(isAdopted).length,
  };
}

/** Whether the mass payout is there, and no request was answered by it. */
const isAdopted = ({ payout, attempts }: SendRecord): boolean =>
  payout !== undefined && attempts.every(({ outcome }) => outcome !== 'ACCEPTED');

/** Reads the sends of a batch from the store. */
export async function readSendFigures(store: Store, batchId: string): Promise<SendFigures> {
  const records: SendRecord[] = [];
  for (const { chunk, idempotencyKey } of await store.chunks.list(batchId)) {
    records.push(await store.sends.record({ batchId, chunk, idempotencyKey }));
  }
  return sendFiguresOf(records);
}

import { taggedComment } from '../../src/domain/rows/row-tag.ts';
import { batchCodeOf, externalIdOf, idempotencyKeyOf } from '../../src/domain/sending/identity.ts';
import type { BareRow } from './bare-chunks.ts';

export type BareChunk = Readonly<{ account: string; batchId: string; chunk: number }>;

/** Writes the payload of a create request, as long as the engine's to the byte; the bench compares them. */
export function payloadText(
  { account, batchId, chunk }: BareChunk,
  rows: readonly BareRow[],
): string {
  const code = batchCodeOf(account, batchId);
  const identity = { account, batchId, chunk, generation: 0 };
  const recipients = rows.map(
    ({ address, amount, comment, row }) =>
      `{"depositAddress":"${address}","amount":${amount},` +
      `"comment":${JSON.stringify(taggedComment(comment, code, row))}}`,
  );
  return (
    `{"currency":"${rows[0]?.currency}","name":"${batchId}/${chunk}",` +
    `"massAddresses":[${recipients.join(',')}],` +
    `"idempotencyKey":"${idempotencyKeyOf(identity)}","externalId":"${externalIdOf(identity)}"}`
  );
}

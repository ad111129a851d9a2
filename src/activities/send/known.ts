import type { ChunkSendFacts, SendDeps, Sending } from './types.ts';
import { withForgottenSend } from '../../domain/restore/verification.ts';
import type { VerifiedBy } from '../../domain/sending/reduce.ts';
import type { SendRecord } from '../../domain/sending/send-record.ts';
import { withReading } from '../recheck/restored-store.ts';

/** Reads all stored facts about a chunk. */
export async function readChunk(deps: SendDeps, { ref }: Sending): Promise<ChunkSendFacts> {
  const { restore, ...facts } = await deps.store.sends.facts(ref);
  return restore === undefined ? facts : { ...facts, restore: await withReading(deps, restore) };
}

/** The record with the send that a restored store may lack, until a later attempt or a person has settled that. */
export const doubtedRecord = ({
  send: { record, verification },
  restore,
}: ChunkSendFacts): SendRecord =>
  restore === undefined || verification === undefined ? record : withForgottenSend(record, restore);

/** Writes down that the store lacks no send of the chunk, unless something has changed since that was decided. */
export async function noteVerified(
  { store, service, nowMs }: SendDeps,
  { batch: { account }, ref }: Sending,
  { known: { send, restore }, by }: Readonly<{ known: ChunkSendFacts; by: VerifiedBy }>,
): Promise<void> {
  if (restore === undefined) return;
  const decided = { attempts: send.record.attempts.length, from: send.state };
  const where = { account, baseUrl: service.baseUrl };
  await store.restores.verify(ref, {
    ...decided,
    ...where,
    epoch: restore.epoch,
    by,
    atMs: nowMs(),
  });
}

import { decideSend, type SendCommand } from '../../src/domain/sending/decide.ts';
import type { LookupCheck } from '../../src/domain/sending/lookups.ts';
import {
  isToVerify,
  nextVerification,
  type Restore,
  type VerifyCommand,
  withForgottenSend,
} from '../../src/domain/restore/verification.ts';
import type { SendState } from '../../src/domain/sending/reduce.ts';
import type { ClockReading, SendRecord } from '../../src/domain/sending/send-record.ts';
import { isHasty, withMoreMisses } from '../careless.ts';
import { type Engine, policyOf } from './engine.ts';
import type { SimChunk } from './store.ts';

/** What is known of a chunk while there is more to do at once. `restore`: missing where the store lacks no send. */
export type Known = Readonly<{ send: SendState; lookupCheck?: LookupCheck; restore?: Restore }>;

/** Reads all that is known of a chunk now. */
export function readAgain(
  { store }: Engine,
  { key }: SimChunk,
  readClock: () => ClockReading,
): Known {
  const restore = store.restoreOf(key, readClock());
  const { send } = store.facts(key);
  return restore === undefined ? { send } : { send, restore };
}

/** The record with the send that a restored store may lack, until a later attempt or a person has settled that. */
export const doubtedRecord = ({ send: { record, verification }, restore }: Known): SendRecord =>
  restore === undefined || verification === undefined ? record : withForgottenSend(record, restore);

/** What to do next. A chunk of a restored store is verified before anything else. */
export function commandFor(
  engine: Engine,
  { send, restore, lookupCheck }: Known,
  wasCreated: boolean,
): SendCommand | VerifyCommand {
  const { world, careless, store } = engine;
  const policy = policyOf(engine, { wasCreated, lookupCheck: lookupCheck });
  const facts = isHasty(careless) ? withMoreMisses(send) : send;
  const nowMs = world.clocks.wallMs();
  if (careless === 'verifies-at-once' && isToVerify(send) && !store.flags().isDisproven) {
    const isMissed = send.record.lookups.at(-1)?.epoch === restore?.epoch;
    if (isMissed) return { kind: 'verified', by: 'lookups' };
  }
  return restore !== undefined && isToVerify(send)
    ? nextVerification(facts, { restore, policy }, nowMs)
    : decideSend(facts, policy, nowMs);
}

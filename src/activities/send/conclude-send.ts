import type { SendDeps, Sending } from './types.ts';
import type { SendStep } from '../../contract/sending.ts';
import type { OperatorReason, SendCommand } from '../../domain/sending/decide.ts';
import { isAuthRefusal } from '../../domain/sending/doubt.ts';
import type { SendState } from '../../domain/sending/reduce.ts';
import { refusalText } from '../../domain/sending/refusal-text.ts';
import { canPass } from '../../domain/sending/send-command.ts';
import { distrust } from '../service/distrust.ts';
import { putHold } from '../shared/put-hold.ts';
import { stopAtLoss } from './stop-loss.ts';

/** Commands that end one run of the activity. */
type LastCommand = Exclude<
  SendCommand,
  { kind: 'lookup' | 'read' | 'verify-lookup' | 'attempt' | 'withdraw' }
>;

/** The cause of one differing mass payout may affect others. */
async function holdForDifference(deps: SendDeps, { ref }: Sending): Promise<void> {
  const reason = `the mass payout of chunk ${ref.chunk} is not what was asked for`;
  await putHold(deps, ref.batchId, { kind: 'PAUSE', reason });
}

/** A second mass payout for one chunk: no answer of the service about keys can be relied on. */
const distrustFor = (deps: SendDeps, { batch, ref: { batchId, chunk } }: Sending): Promise<void> =>
  distrust(deps, batch, { batchId, chunk, reason: 'TWO_PAYOUTS' });

/** How soon to read a chunk again whose question may be withdrawn, in milliseconds. */
const LOOK_AGAIN_MS = 60_000;

const lookAgain = (reason: OperatorReason | undefined) =>
  canPass(reason) ? { lookAgainMs: LOOK_AGAIN_MS } : {};

/** Stores the state of the chunk's sending and returns it; undefined when that has changed meanwhile. */
export async function conclude(
  deps: SendDeps,
  sending: Sending,
  { command, send }: { command: LastCommand; send: SendState },
): Promise<SendStep | undefined> {
  const { store, nowMs } = deps;
  const { ref, chunk, stopped, options } = sending;
  const { record, state: from } = send;
  const attempts = record.attempts.length;
  switch (command.kind) {
    case 'created':
      return command;
    case 'asked':
      return { kind: 'needs-operator', ...lookAgain(send.reason) };
    case 'wait': {
      const delayMs = Math.max(0, command.untilMs - nowMs());
      return { kind: 'waiting', delayMs, why: command.why, inDoubt: command.inDoubt };
    }
    case 'rejected': {
      const reason = refusalText(command.attempt);
      const concluded =
        from === 'REJECTED' || (await store.sends.setRejected(ref, { attempts, from, reason }));
      const halt = isAuthRefusal(command.attempt.httpStatus);
      if (concluded) await stopAtLoss({ store, nowMs }, ref.batchId, options.stopLoss);
      return concluded ? { kind: 'rejected', reason, halt } : undefined;
    }
    case 'abandoned':
      await store.sends.setAbandoned(
        ref,
        'given up by an operator; it is unknown whether it was paid',
      );
      return { kind: 'abandoned' };
    case 'closed': {
      if (from === 'NOT_SENT') return command;
      const reason = stopped ?? 'the batch was stopped';
      return (await store.sends.setNotSent(ref, { attempts, from, reason })) ? command : undefined;
    }
    case 'needs-operator': {
      const sinceMs = chunk.attentionSinceMs ?? nowMs();
      const asked = await store.sends.setNeedsOperator(
        ref,
        { attempts, from, reason: command.reason },
        sinceMs,
      );
      if (!asked) return undefined;
      if (command.reason === 'PAYOUT_DIFFERS') await holdForDifference(deps, sending);
      if (command.reason === 'TWO_PAYOUTS') await distrustFor(deps, sending);
      return { ...command, ...lookAgain(command.reason) };
    }
  }
}

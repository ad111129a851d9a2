import type { Sources } from './types.ts';
import { type ErrorNote, isBursarError } from '../../domain/errors/bursar-error.ts';
import { categoryOf } from '../../domain/errors/catalogue.ts';
import type { OperationContext } from '../context.ts';
import { actorOf, unsignedActorOf } from './actor.ts';

/** An act that would let money go. `batchId`: null before there is a batch. */
export type Try = Readonly<{
  action:
    | 'submit'
    | 'resend'
    | 'recover'
    | 'approve'
    | 'refuse'
    | 'resume'
    | 'resolve'
    | 'schedule-trigger'
    | 'schedule-backfill';
  batchId: string | null;
  detail?: Readonly<Record<string, unknown>>;
}>;

/** Errors that are no refusal: the person declined, nothing was reached, or the program has a bug. */
const NO_REFUSAL = ['said-no', 'unreachable', 'not-found', 'bug'];

/** Runs `work`. If it is refused, writes the try to the audit log and then throws the refusal. */
export async function onRecord<Result>(
  tried: Try,
  { sources, context }: Readonly<{ sources: Sources; context: OperationContext }>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isBursarError(error) && !NO_REFUSAL.includes(categoryOf(error.code))) {
      await recordRefusal(tried, error, { sources, context });
    }
    throw error;
  }
}

/** Writes down that a try was refused, and why. */
export async function recordRefusal(
  { action, batchId, detail = {} }: Try,
  { code }: Readonly<{ code: ErrorNote['code'] }>,
  { sources, context }: Readonly<{ sources: Sources; context: OperationContext }>,
): Promise<void> {
  const by = actorOf(sources.settings, context);
  const actor = await unsignedActorOf(sources, { by, batchId });
  await sources.store.audit.append({
    atMs: context.clock.nowMs(),
    batchId,
    actor,
    action: `${action}-rejected`,
    detail: { code, ...detail },
  });
}

import { ApplicationFailure } from '@temporalio/common';
import {
  log,
  patched,
  type WorkflowInterceptors,
  type WorkflowInterceptorsFactory,
  workflowInfo,
} from '@temporalio/workflow';
import { isClear, isRefused, openValue } from '../domain/encryption/clear-value.ts';
import { noteOf } from '../domain/errors/bursar-error.ts';

/**
 * Keeps payloads in clear from having an effect where encryption is required. A start fails, a query and an update are
 * refused, a signal is dropped, and an activity whose result came in clear is carried out again: so another client of
 * Temporal neither runs nor freezes a batch.
 *
 * Each drop is a marker in the history, so that a replay decides as the first run did, under any later setting.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  const drops = openDrops();
  return { inbound: [inboundOf(drops)], outbound: [outboundOf(drops)] };
};

type Drops = ReturnType<typeof openDrops>;

/** Decides whether a value in clear is dropped, once for each in the order of the history. */
function openDrops() {
  let met = 0;
  return (given: readonly unknown[], what: string): boolean => {
    if (!given.some(isClear)) return false;
    met += 1;
    const wasRefusedNow = !workflowInfo().unsafe.isReplaying && given.some(isRefused);
    const isDropped =
      (wasRefusedNow || workflowInfo().unsafe.isReplaying) && patched(`dropped-in-clear-${met}`);
    if (isDropped) log.warn('a payload in clear was dropped', { what });
    return isDropped;
  };
}

const opened = <Input extends Readonly<{ args: unknown[] }>>(input: Input): Input => ({
  ...input,
  args: input.args.map(openValue),
});

function inboundOf(isDropped: Drops): NonNullable<WorkflowInterceptors['inbound']>[number] {
  return {
    async execute(input, next) {
      // A workflow that began before encryption was required goes on.
      if (!workflowInfo().unsafe.isReplaying) refuseClear(input.args);
      return next(opened(input));
    },
    async handleSignal(input, next) {
      if (isDropped(input.args, `signal ${input.signalName}`)) return;
      await next(opened(input));
    },
    async handleQuery(input, next) {
      refuseClear(input.args);
      return next(opened(input));
    },
    validateUpdate(input, next) {
      refuseClear(input.args);
      next(opened(input));
    },
    // Its validator has refused what must be refused, before the history had it.
    handleUpdate: async (input, next) => next(opened(input)),
  };
}

function outboundOf(isDropped: Drops): NonNullable<WorkflowInterceptors['outbound']>[number] {
  return {
    async scheduleActivity(input, next) {
      for (;;) {
        const result = await next(input);
        if (!isDropped([result], `result of ${input.activityType}`)) return openValue(result);
      }
    },
  };
}

/** Throws PAYLOAD_IN_CLEAR when one of the arguments must have no effect. */
function refuseClear(args: readonly unknown[]): void {
  if (!args.some(isRefused)) return;
  const note = noteOf('PAYLOAD_IN_CLEAR', {});
  throw ApplicationFailure.create({
    type: note.code,
    message: note.what,
    details: [note],
    nonRetryable: true,
  });
}

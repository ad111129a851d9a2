import type { Hint } from '../contract/messages.ts';

/** Result of a signal. `gone`: the workflow has ended, or its history takes no more signals. */
export type SignalResult = 'delivered' | 'gone';

/** Sequence numbers of webhooks that the bridge has handled and may acknowledge in the spool. */
export type HandledWebhooks = Readonly<{
  /** At least one workflow received a signal. */
  forwarded: readonly number[];
  /** No workflow received a signal. */
  ignored: readonly number[];
}>;

/** A signal that waits for its delivery to one workflow. */
export type PendingSignal = Readonly<{
  workflowId: string;
  /** The workflow that receives the signal when the first one is gone. */
  fallbackWorkflowId?: string;
  /** The chunks to read; null: the account may hold more money. */
  hint: Hint | null;
}>;

/** Pending signals, at most one for each workflow. */
export type SignalQueue = Readonly<{
  /** Returns at most `limit` signals that may be sent now. */
  due(nowMs: number, limit: number): PendingSignal[];
  /** Delays the signal of a workflow after a failed call. */
  postpone(workflowId: string, nowMs: number): void;
  /** Removes the signal of a workflow. Returns the webhooks that need no other signal. */
  complete(workflowId: string, result: SignalResult, nowMs: number): HandledWebhooks;
}>;

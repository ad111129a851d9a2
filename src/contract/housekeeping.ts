import type { NotifiableEvent } from '../domain/notify/events.ts';
import type { StoreRef } from '../domain/store/identity.ts';
import type { OfStore } from './store.ts';

/** The workflow type that housekeeping is started as; it stands in histories and is never renamed. */
export const WORKFLOW_HOUSEKEEPING = 'housekeeping';

/** One housekeeping for the workers of a task queue: they share settings, account and store. */
export const housekeepingWorkflowId = (taskQueue: string): string => `${taskQueue}/housekeeping`;

/** Signal to housekeeping: run the rounds now. */
export const SIGNAL_WATCH_NOW = 'watchNow';

/** `roundsMax`: after how many rounds it goes on in a new run. */
export type HousekeepingInput = OfStore & Readonly<{ roundsMax?: number }>;

/** The result of one round. `says`: a few words, without addresses and secrets. */
export type TaskResult = Readonly<{ name: string; ok: boolean; says: string }>;

export type HousekeepingReport = Readonly<{
  /** When the rounds were over, ISO 8601 in UTC. */
  at: string;
  /** How often the worker's settings want the rounds, in milliseconds. */
  everyMs: number;
  rounds: readonly TaskResult[];
  /** The store of the worker that ran them. Missing in older workers. */
  store?: StoreRef;
}>;

export type HealthCheckActivities = Readonly<{ watchRound(): Promise<HousekeepingReport> }>;

export type NotifyActivities = Readonly<{
  /**
   * Notifies every target that subscribes to the event, once each. Fails only when the notification cannot be stored.
   */
  tell(news: NotifiableEvent): Promise<void>;
}>;

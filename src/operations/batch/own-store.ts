import type { Sources } from './types.ts';
import type { StoreRef } from '../../domain/store/identity.ts';
import { refuseOtherStore } from '../engine/refuse-other-store.ts';
import type { Execution } from '../engine/engine.ts';
import { HEALTH_CHECKS } from '../../store/housekeeping/health-checks.ts';
import type { Clock } from '../context.ts';

/**
 * The identity of the store, for the input of a workflow. Each command that starts a workflow calls this first. @throws
 * SETTING_MISSING without the settings of the service: the batch would start at any Temporal that answers. @throws
 * STORE_IS_ANOTHER when the workers of the task queue use another store. @throws TEMPORAL_UNREACHABLE
 */
export async function ownStore(sources: Sources): Promise<StoreRef> {
  await refuseWithoutApi(sources);
  await refuseForeignQueue(sources);
  return sources.store.identity.ref();
}

/** @throws STORE_IS_ANOTHER when the workers of the task queue use another store. @throws TEMPORAL_UNREACHABLE */
export async function refuseForeignQueue({ settings, store, engine }: Sources): Promise<void> {
  const served = await (await engine()).served();
  refuseOtherStore(await store.identity.read(), served, settings.temporal.taskQueue);
}

/** Rounds of housekeeping after which the record of one is too old. */
const ROUNDS_MAX = 2;

/**
 * Whether a worker of the task queue noted a moment ago that this is its store. A worker with another store than the
 * one of the queue runs no housekeeping.
 */
export async function isKnownOwnStore(
  { settings, store }: Sources,
  { nowMs }: Clock,
): Promise<boolean> {
  const { temporal, watch } = settings;
  const noted = await store.watches.find(HEALTH_CHECKS.served(temporal.taskQueue));
  if (noted === undefined) return false;
  const ageMs = nowMs() - noted.seenAtMs;
  return ageMs >= 0 && ageMs <= ROUNDS_MAX * watch.everyMs;
}

/**
 * The secret is not required here: only the worker needs it, and a submitter may not be allowed to read it. @throws
 * SETTING_MISSING
 */
export async function refuseWithoutApi({ settings }: Sources): Promise<void> {
  const { requireApi } = await import('../../config.ts');
  requireApi(settings);
}

/** Keeps a command from showing facts of another store. @throws STORE_IS_ANOTHER */
export async function refuseForeign(
  { settings, store }: Sources,
  { store: started }: Execution,
): Promise<void> {
  refuseOtherStore(await store.identity.read(), started, settings.temporal.taskQueue);
}

/**
 * What a workflow calls as its last run ends. A sink is no command: it is in no history, and is not called in a replay. `failure`: the
 * code of the failure; null where the workflow succeeded.
 */
export type RunSinks = { runs: { ended(failure: string | null): void } };

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Refused } from './core/refusals.ts';
import type { Snapshot, StateControl } from './snapshots.ts';
import { removeDatabase } from './store/database.ts';
import type { ServiceWorld } from './world.ts';

/** The most snapshots. Each holds the whole store in memory. */
const SNAPSHOTS_MAX = 100;

export type StateControlDeps = Readonly<{
  storePath: string;
  nowMs: () => number;
  open(states: StateControl): ServiceWorld;
  /** Called before the present state is left. */
  beforeReplacing(): void;
}>;

/** The present state, which answers the requests. */
export type States = StateControl &
  Readonly<{
    shownMs(): number;
    /** Requests that come while the state is replaced wait for the new one. */
    dispatch(request: IncomingMessage, response: ServerResponse): void;
    start(): Promise<void>;
    close(): Promise<void>;
  }>;

export function createStateControl(deps: StateControlDeps): States {
  const { storePath } = deps;
  const kept = new Map<string, Snapshot>();
  const find = (id: string): Snapshot => {
    const found = kept.get(id);
    if (found === undefined) throw new Refused('NOT_FOUND', `There is no snapshot ${id}.`);
    return found;
  };
  const control: StateControl = {
    reset: () => present.replace(() => removeDatabase(storePath)),
    takeSnapshot: () => present.inTurn(takeSnapshot),
    snapshots: () => [...kept.values()],
    async restore(id) {
      const { bytes } = find(id);
      await present.replace(() => {
        removeDatabase(storePath);
        writeFileSync(storePath, bytes);
      });
    },
    removeSnapshot: (id) => void kept.delete(find(id).id),
  };
  const present = createPresent(deps, control);

  async function takeSnapshot(world: ServiceWorld): Promise<Snapshot> {
    if (kept.size >= SNAPSHOTS_MAX) {
      throw new Refused('FIELD_INVALID', `There are ${SNAPSHOTS_MAX} snapshots already.`);
    }
    const id = randomUUID();
    const file = `${storePath}.${id}`;
    try {
      await world.copyTo(file);
      const snapshot = { id, atMs: deps.nowMs(), bytes: readFileSync(file) };
      kept.set(id, snapshot);
      return snapshot;
    } finally {
      rmSync(file, { force: true });
    }
  }

  return { ...control, ...present };
}

/** The world that answers now. Replacements and snapshots run one after the other. */
function createPresent({ open, beforeReplacing }: StateControlDeps, control: StateControl) {
  let world = open(control);
  /** Null while no world is replaced. */
  let replacing: Promise<void> | null = null;
  let lastTurn: Promise<unknown> = Promise.resolve();

  function inTurn<Result>(work: (world: ServiceWorld) => Promise<Result>): Promise<Result> {
    const turn = lastTurn.then(() => work(world));
    // The caller gets the error.
    lastTurn = turn.catch(() => {});
    return turn;
  }

  async function swap(prepare: () => void): Promise<void> {
    await world.close();
    beforeReplacing();
    prepare();
    world = open(control);
    await world.start();
  }

  return {
    inTurn,
    replace: (prepare: () => void): Promise<void> =>
      inTurn(async () => {
        replacing = swap(prepare);
        await replacing;
        replacing = null;
      }),
    shownMs: () => world.shownMs(),
    dispatch(request: IncomingMessage, response: ServerResponse): void {
      if (replacing === null) return world.dispatch(request, response);
      const cut = (): void => void response.destroy();
      replacing.then(() => world.dispatch(request, response), cut);
    },
    start: () => world.start(),
    close: () => inTurn((last) => last.close()),
  };
}

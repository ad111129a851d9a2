import type { World } from '../world.ts';

/** Work of a worker: each number is how long it takes until the next step, in milliseconds. Between any two it may die. */
export type Steps<Result> = Generator<number, Result>;

type Process = {
  alive: boolean;
  frozenUntilMs: number;
  readonly lost: Set<() => void>;
  /** Its unsent list: for each attempt on it the write that ends it as one that never left. */
  readonly unsent: Set<() => void>;
};

/** How long a worker may be silent until its work is given to another one, and until a new process is up. Milliseconds. */
const HEARTBEAT_MS = 10_000;
const RESTART_MS = 2_000;
const FREEZE_MS_MAX = 540_000;

/** Worker processes, and a Temporal that begins work anew when the worker that had it is silent. */
export type Workers = ReturnType<typeof createWorkers>;

export function createWorkers(world: World) {
  const { agenda, random, setting } = world;
  const { shares } = setting;
  let isDown = false;
  const processes: Process[] = [];
  /** The process that does a step now. */
  let current: Process | undefined;
  let lists: Process['unsent'][] = [];
  const start = (): void => {
    if (isDown) return;
    processes.push({ alive: true, frozenUntilMs: 0, lost: new Set(), unsent: new Set() });
    const ended = lists;
    lists = [];
    // Every other time the process starts on another machine, which has no such lists.
    if (agenda.nowMs() % 2 === 0) return;
    for (const list of ended) for (const end of list) end();
  };
  for (let i = 0; i < setting.workers; i += 1) start();

  function kill(process: Process): void {
    process.alive = false;
    processes.splice(processes.indexOf(process), 1);
    for (const lost of process.lost) lost();
    lists.push(process.unsent);
    agenda.after(RESTART_MS, start);
  }

  function freeze(process: Process): void {
    const forMs = random.between(1_000, FREEZE_MS_MAX);
    process.frozenUntilMs = agenda.nowMs() + forMs;
    if (forMs > HEARTBEAT_MS) for (const lost of process.lost) lost();
  }

  /** Whether the process can go on now; `later` is when it is to be asked again. */
  function isAwake(process: Process, later: () => void): boolean {
    if (!process.alive) return false;
    if (world.strikes('worker killed', shares.kill)) {
      kill(process);
      return false;
    }
    const isFrozen = agenda.nowMs() < process.frozenUntilMs;
    if (!isFrozen && world.strikes('worker frozen', shares.freeze)) freeze(process);
    if (agenda.nowMs() >= process.frozenUntilMs) return true;
    agenda.after(process.frozenUntilMs - agenda.nowMs(), later);
    return false;
  }

  return {
    /** Has work done by some worker, as often as it takes; `then` is told the first result. */
    run<Result>(make: () => Steps<Result>, then: (result: Result) => void): void {
      let tries = 0;
      let isDone = false;
      const begin = (): void => {
        if (isDone) return;
        const process = processes.length === 0 ? undefined : random.pick(processes);
        if (process === undefined) return agenda.after(RESTART_MS, begin);
        tries += 1;
        const mine = tries;
        const lost = (): void =>
          agenda.after(HEARTBEAT_MS, () => {
            if (mine === tries) begin();
          });
        process.lost.add(lost);
        const steps = make();
        const advance = (): void => {
          if (!isAwake(process, advance)) return;
          current = process;
          const next = steps.next();
          if (next.done !== true) return agenda.after(next.value, advance);
          process.lost.delete(lost);
          if (isDone || mine !== tries) return;
          isDone = true;
          then(next.value);
        };
        advance();
      };
      begin();
    },
    /** Puts an attempt on the unsent list of the process at work, and returns what takes it off. */
    listUnsent(end: () => void): () => void {
      const { unsent } = current ?? { unsent: new Set<() => void>() };
      unsent.add(end);
      return () => unsent.delete(end);
    },
    /** Stops all of them at once, for so long. */
    stopFor(downMs: number, whileDown: () => void): void {
      isDown = true;
      for (const process of [...processes]) kill(process);
      whileDown();
      agenda.after(downMs, () => {
        isDown = false;
        for (let i = 0; i < setting.workers; i += 1) start();
      });
    },
  };
}

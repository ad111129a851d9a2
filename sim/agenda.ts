type Entry = Readonly<{ atMs: number; order: number; act: () => void }>;

/** More than any world that comes to an end has needed, many times over. */
const STEPS_MAX = 100_000;

/** How far apart two entries may be for the second to overtake the first. Milliseconds. */
const OVERTAKING_MS = 100;

/** Virtual time, in milliseconds since 1970: nothing waits, the clock jumps to whatever comes next. */
export type Agenda = ReturnType<typeof createAgenda>;

/**
 * `isOvertaken` decides for two entries with close times whether the second one comes first. So two writes of one scope come in
 * both orders, also where the delays of the network alone hardly lead to one of them.
 */
export function createAgenda(startMs: number, isOvertaken: () => boolean = () => false) {
  const heap: Entry[] = [];
  let nowMs = startMs;
  let order = 0;
  let steps = 0;

  /** Entries of the same moment come in the order in which they were made. */
  const isBefore = (a: Entry, b: Entry): boolean =>
    a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
  /** Whichever of two places comes first; a place beyond the end never does. */
  const leastOf = (i: number, j: number): number =>
    j < heap.length && isBefore(heap[j] as Entry, heap[i] as Entry) ? j : i;
  const swap = (i: number, j: number): void => {
    [heap[i], heap[j]] = [heap[j] as Entry, heap[i] as Entry];
  };

  function push(entry: Entry): void {
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(heap[at] as Entry, heap[parent] as Entry)) break;
      swap(at, parent);
      at = parent;
    }
  }

  function pop(): Entry | undefined {
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    heap[0] = last;
    for (let at = 0; ; ) {
      const least = leastOf(leastOf(at, 2 * at + 1), 2 * at + 2);
      if (least === at) return first;
      swap(at, least);
      at = least;
    }
  }

  /** The first entry, or one that overtakes it. A delay has no upper limit, so every order may happen. */
  function next(): Entry | undefined {
    const overtaken: Entry[] = [];
    let first = pop();
    for (let second = heap[0]; first !== undefined && second !== undefined; second = heap[0]) {
      if (second.atMs - first.atMs > OVERTAKING_MS || !isOvertaken()) break;
      overtaken.push(first);
      first = pop();
    }
    for (const entry of overtaken) {
      order += 1;
      push({ ...entry, atMs: first?.atMs ?? entry.atMs, order });
    }
    return first;
  }

  return {
    nowMs: (): number => nowMs,
    after(delayMs: number, act: () => void): void {
      order += 1;
      push({ atMs: nowMs + Math.max(0, Math.floor(delayMs)), order, act });
    },
    /**
     * Does what comes until nothing does any more, until `untilMs`, or until so much was done that it goes round in a circle;
     * answers whether everything was done.
     */
    run(untilMs: number): boolean {
      for (let entry = next(); entry !== undefined; entry = next()) {
        steps += 1;
        if (entry.atMs > untilMs || steps > STEPS_MAX) return false;
        nowMs = entry.atMs;
        entry.act();
      }
      return true;
    },
  };
}

import type { Agenda } from '../agenda.ts';
import type { People } from './batch.ts';
import type { SimChunk } from './store.ts';

/** How often a chunk that waits for a person looks by itself, in milliseconds. */
const ASKED_LOOK_MS = 900_000;

/** Chunks of a batch that wait for a person. */
export function createAsking(
  { agenda, people }: Readonly<{ agenda: Agenda; people: People }>,
  drive: (chunk: SimChunk) => void,
) {
  const asked = new Set<string>();
  /** Whose answer came during a look. */
  const answered = new Set<string>();
  const waiting = new Map<string, SimChunk>();

  function wake(key: string): void {
    const chunk = waiting.get(key);
    if (waiting.delete(key) && chunk !== undefined) drive(chunk);
  }

  return {
    /** Waits for a person, and looks now and then. A batch that goes on after it was lost asks once more. */
    untilAnswered(chunk: SimChunk): void {
      const { key } = chunk;
      if (answered.delete(key)) return drive(chunk);
      waiting.set(key, chunk);
      agenda.after(ASKED_LOOK_MS, () => wake(key));
      if (asked.has(key)) return;
      asked.add(key);
      people.ask(chunk, () => {
        asked.delete(key);
        if (!waiting.has(key)) answered.add(key);
        wake(key);
      });
    },
    /** Looks at once, if the chunk waits. */
    wake,
  };
}

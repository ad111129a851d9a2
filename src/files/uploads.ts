import { BursarError } from '../domain/errors/bursar-error.ts';
import type { ObjectEngine } from './objects.ts';
import { isSha256 } from './paths.ts';

/** A copy that was uploaded and not submitted. `atMs`: when it was uploaded or planned last. */
export type Upload = Readonly<{ sha256: string; atMs: number }>;

/** The marks of copies that no submit has put yet. A copy without a mark is never removed as an upload. */
export interface Uploads {
  /** Marks a copy before it is put, unless there is one already that was submitted. @throws FILES_PATH_REFUSED */
  mark(sha256: string): Promise<void>;
  /** Counts the days of a marked copy from now on. */
  renew(sha256: string): Promise<void>;
  /** Removes the mark. The copy stays. */
  unmark(sha256: string): Promise<void>;
  list(): AsyncIterable<Upload>;
}

/** The folder of the marks: no copy, and no published set, has this name. */
const MARKS = 'uploads';

const pathOf = (sha256: string): string => `${MARKS}/${sha256}`;

/** The marks as objects of an engine; the time of a mark is that of its object. */
export function uploadsOn(engine: ObjectEngine): Uploads {
  const write = async (sha256: string): Promise<void> => {
    await engine.write(pathOf(sha256), blocksOf('upload'), 'always');
  };
  const isMarked = async (sha256: string): Promise<boolean> =>
    (await engine.sizeOf(pathOf(sha256))) !== undefined;
  return {
    async mark(sha256) {
      if (!isSha256(sha256)) throw new BursarError('FILES_PATH_REFUSED', { path: sha256 });
      const isSubmitted = (await engine.sizeOf(sha256)) !== undefined && !(await isMarked(sha256));
      if (!isSubmitted) await write(sha256);
    },
    async renew(sha256) {
      if (isSha256(sha256) && (await isMarked(sha256))) await write(sha256);
    },
    async unmark(sha256) {
      if (isSha256(sha256)) await engine.remove(pathOf(sha256));
    },
    async *list() {
      for await (const { path, changedAtMs } of engine.list(MARKS)) {
        const sha256 = path.slice(MARKS.length + 1);
        if (isSha256(sha256)) yield { sha256, atMs: changedAtMs };
      }
    },
  };
}

async function* blocksOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

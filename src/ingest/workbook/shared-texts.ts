import { BursarError } from '../../domain/errors/bursar-error.ts';
import { moreThan } from '../../domain/errors/workbook-errors.ts';
import { detached } from '../detached.ts';
import { SHARED_TEXT_CHARS_MAX, SHARED_TEXTS_MAX } from '../limits.ts';
import { createTextCollector } from './text-collector.ts';
import { readPart, type Workbook } from './read-part.ts';

/** Reads the texts that cells name by their number. @throws WORKBOOK_TOO_LARGE, WORKBOOK_UNREADABLE */
export async function readSharedTexts(
  workbook: Workbook,
  part: string | undefined,
): Promise<readonly string[]> {
  const texts: string[] = [];
  if (part === undefined) return texts;
  let chars = 0;
  const collector = createTextCollector();
  const reading = readPart(workbook, part, {
    open(name) {
      if (name === 'si') collector.begin();
      collector.open(name);
    },
    text: collector.text,
    close(name) {
      collector.close(name);
      if (name !== 'si') return;
      const text = detached(collector.take());
      chars += text.length;
      texts.push(text);
    },
  });
  for await (const _ of reading) {
    refuseMore(workbook, texts.length, [SHARED_TEXTS_MAX, 'text']);
    refuseMore(workbook, chars, [SHARED_TEXT_CHARS_MAX, 'character']);
  }
  return texts;
}

function refuseMore(
  { file }: Workbook,
  count: number,
  [max, unit]: readonly [number, string],
): void {
  if (count <= max) return;
  throw new BursarError('WORKBOOK_TOO_LARGE', { file, has: moreThan(max, unit) });
}

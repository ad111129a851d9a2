import { BursarError, isBursarError } from '../../domain/errors/bursar-error.ts';
import { moreThan } from '../../domain/errors/workbook-errors.ts';
import { SMALL_PART_BYTES_MAX } from '../limits.ts';
import { readXml, type XmlHandlers } from './read-xml.ts';
import type { ZipParts } from './zip-parts.ts';

/** An open workbook. */
export type Workbook = Readonly<{ file: string; parts: ZipParts }>;

/** Passes the XML of a part to the handlers. Yields after every block. @throws WORKBOOK_UNREADABLE */
export async function* readPart(
  { file, parts }: Workbook,
  name: string,
  handlers: XmlHandlers,
): AsyncGenerator<void> {
  try {
    yield* readXml(parts.bytes(name), handlers);
  } catch (error) {
    if (isBursarError(error)) throw error;
    throw new BursarError(
      'WORKBOOK_UNREADABLE',
      { file, reason: (error as Error).message },
      { cause: error },
    );
  }
}

/** Reads a part of which the handlers keep much. @throws WORKBOOK_TOO_LARGE, WORKBOOK_UNREADABLE */
export async function readSmallPart(
  workbook: Workbook,
  name: string,
  handlers: XmlHandlers,
): Promise<void> {
  const { file, parts } = workbook;
  async function* limited(): AsyncGenerator<Buffer> {
    let sizeBytes = 0;
    for await (const block of parts.bytes(name)) {
      sizeBytes += block.length;
      if (sizeBytes > SMALL_PART_BYTES_MAX) {
        const has = `a part with ${moreThan(SMALL_PART_BYTES_MAX, 'byte')} (${name})`;
        throw new BursarError('WORKBOOK_TOO_LARGE', { file, has });
      }
      yield block;
    }
  }
  const small = { file, parts: { ...parts, bytes: limited } };
  const reading = readPart(small, name, handlers);
  while ((await reading.next()).done !== true);
}

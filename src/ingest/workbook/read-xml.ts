import { TextDecoder } from 'node:util';
import sax, { type SAXParser, type Tag } from 'sax';

/** Takes the parts of a document in order. Names have no prefix. */
export type XmlHandlers = Readonly<{
  open(name: string, attributes: XmlAttributes): void;
  text(text: string): void;
  close(name: string): void;
}>;

/** The attributes of an element, by their names with prefix. */
export type XmlAttributes = Readonly<Record<string, string>>;

/** Levels of elements. A workbook has about ten. */
const DEPTH_MAX = 100;
/** Attributes of one element. */
const ATTRIBUTES_MAX = 200;

/**
 * Parses a document and passes its parts to the handlers. Yields after every block of bytes. A DOCTYPE is refused, so no
 * entity can grow.
 * @throws an error with the reason for a document that is not well-formed.
 */
export async function* readXml(
  blocks: AsyncIterable<Buffer>,
  handlers: XmlHandlers,
): AsyncGenerator<void> {
  const parser = sax.parser(true);
  let failure: Error | undefined;
  const fail = (reason: string): void => {
    failure ??= new Error(reason);
  };
  listen(parser, handlers, fail);
  for await (const text of decoded(blocks)) {
    parser.write(text);
    if (failure !== undefined) throw failure;
    yield;
  }
  parser.close();
  if (failure !== undefined) throw failure;
  yield;
}

function listen(
  parser: SAXParser,
  { open, text, close }: XmlHandlers,
  fail: (reason: string) => void,
): void {
  let [depth, attributes] = [0, 0];
  let hasFailed = false;
  const pass = (part: string): void => {
    if (!hasFailed) text(part);
  };
  const stop = (reason: string): void => {
    hasFailed = true;
    fail(reason);
  };
  Object.assign(parser, {
    onerror({ message }: Error) {
      stop(`its XML is malformed (${message.split('\n')[0] ?? ''})`);
      // The parser refuses further text while it has an error.
      parser.resume();
    },
    ondoctype: () => stop('its XML has a DOCTYPE'),
    onattribute() {
      attributes += 1;
      if (attributes > ATTRIBUTES_MAX) stop(`an element has over ${ATTRIBUTES_MAX} attributes`);
    },
    onopentag(tag: Tag) {
      attributes = 0;
      depth += 1;
      if (depth > DEPTH_MAX) stop(`its elements are over ${DEPTH_MAX} levels deep`);
      if (!hasFailed) open(withoutPrefix(tag.name), tag.attributes);
    },
    onclosetag(name: string) {
      depth -= 1;
      if (!hasFailed) close(withoutPrefix(name));
    },
    ontext: pass,
    oncdata: pass,
  });
}

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Returns an attribute by its name without prefix; undefined for none. */
export function attributeOf(attributes: XmlAttributes, name: string): string | undefined {
  const key = Object.keys(attributes).find((each) => withoutPrefix(each) === name);
  return key === undefined ? undefined : attributes[key];
}

const BOM_BYTES = 2;

/** Decodes UTF-8, and UTF-16 with a byte order mark. */
async function* decoded(blocks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  for await (const block of blocks) {
    decoder ??= new TextDecoder(encodingOf(block.subarray(0, BOM_BYTES)), { fatal: true });
    yield decoder.decode(block, { stream: true });
  }
  if (decoder !== undefined) yield decoder.decode();
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** The first bytes of a stream, and the whole stream. */
export type StreamWithHead = Readonly<{ head: Buffer; blocks: AsyncIterable<Buffer> }>;

/**
 * Reads at least `headBytes` from the start of a stream, if it has as many. `blocks` still begins
 * there.
 */
export async function readStreamHead(
  source: AsyncIterable<Buffer>,
  headBytes: number,
): Promise<StreamWithHead> {
  const blocks = source[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < headBytes) {
    const block = await blocks.next();
    if (block.done === true) break;
    head = Buffer.concat([head, block.value]);
  }
  return { head, blocks: startingWith(head, { [Symbol.asyncIterator]: () => blocks }) };
}

async function* startingWith(head: Buffer, others: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  yield* others;
}

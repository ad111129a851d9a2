/** The first bytes of a stream, at least `headBytes` of them unless there are fewer in all, and the whole stream. */
export type WithHead = Readonly<{ head: Buffer; blocks: AsyncIterable<Buffer> }>;

/** Reads the start of a stream without taking anything from it. */
export async function withHead(
  source: AsyncIterable<Buffer>,
  headBytes: number,
): Promise<WithHead> {
  const blocks = source[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < headBytes) {
    const block = await blocks.next();
    if (block.done === true) break;
    head = Buffer.concat([head, block.value]);
  }
  return { head, blocks: startingWith(head, { [Symbol.asyncIterator]: () => blocks }) };
}

async function* startingWith(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  yield* rest;
}

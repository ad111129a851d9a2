/**
 * The same text with every CRLF as LF, wherever the pieces were cut. A carriage return without a line feed stays, to be
 * refused where the line is known.
 */
export async function* unifyLineEnds(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let held = '';
  for await (const piece of texts) {
    const text = held + piece;
    const isCut = text.endsWith('\r');
    held = isCut ? '\r' : '';
    const whole = isCut ? text.slice(0, -1) : text;
    yield whole.includes('\r') ? whole.replaceAll('\r\n', '\n') : whole;
  }
  if (held !== '') yield held;
}

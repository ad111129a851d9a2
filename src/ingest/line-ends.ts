/**
 * Returns the text with LF instead of CRLF, also where a CRLF is cut between two pieces.
 * A bare carriage return stays, and the table reader refuses it with its line.
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

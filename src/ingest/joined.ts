/** Returns a copy of all pieces, one after the other. */
export function joinedBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return filled(new Uint8Array(lengthOf(pieces)), pieces);
}

/** Returns a copy of all pieces, one after the other. */
export function joinedWords(pieces: readonly Int32Array[]): Int32Array<ArrayBuffer> {
  return filled(new Int32Array(lengthOf(pieces)), pieces);
}

const lengthOf = (pieces: readonly ArrayLike<number>[]): number =>
  pieces.reduce((sum, { length }) => sum + length, 0);

function filled<Whole extends Uint8Array | Int32Array>(
  whole: Whole,
  pieces: readonly ArrayLike<number>[],
): Whole {
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

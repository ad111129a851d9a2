/**
 * The words of a blob, as the processor that wrote them has them. The driver gives a blob as a buffer of its own, others
 * as a window on one; a window may begin anywhere, words may not.
 */
export const wordsOf = (blob: Uint8Array | ArrayBuffer): Int32Array =>
  // Not by slice: that of a Buffer is a window again.
  new Int32Array(ArrayBuffer.isView(blob) ? Uint8Array.from(blob).buffer : blob);

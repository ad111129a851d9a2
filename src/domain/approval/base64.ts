const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * The bytes that a base64 text stands for; undefined for any text that is not exactly what those bytes are written as.
 * Written here because workflows have neither `Buffer` nor `atob`.
 */
export function bytesOfBase64(text: string): Uint8Array | undefined {
  if (!BASE64.test(text)) return undefined;
  const bytes: number[] = [];
  let rest = 0;
  let restBits = 0;
  for (const digit of text.replaceAll('=', '')) {
    rest = (rest << 6) | DIGITS.indexOf(digit);
    restBits += 6;
    if (restBits < 8) continue;
    restBits -= 8;
    bytes.push(rest >> restBits);
    rest &= (1 << restBits) - 1;
  }
  return rest === 0 ? Uint8Array.from(bytes) : undefined;
}

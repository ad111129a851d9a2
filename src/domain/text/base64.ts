const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const STANDARD = `${LETTERS}+/`;
const FOR_URLS = `${LETTERS}-_`;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const BASE64_URL = /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2,3})?$/;

/**
 * The bytes that a base64 text stands for; undefined for any text that is not exactly what those bytes are written as.
 * Written here because workflows have neither `Buffer` nor `atob`.
 */
export const bytesOfBase64 = (text: string): Uint8Array | undefined =>
  BASE64.test(text) ? decode(text.replaceAll('=', ''), STANDARD) : undefined;

/** As {@link bytesOfBase64}, in the alphabet of web addresses, without padding. */
export const bytesOfBase64Url = (text: string): Uint8Array | undefined =>
  BASE64_URL.test(text) ? decode(text, FOR_URLS) : undefined;

export function base64Of(bytes: Uint8Array): string {
  const text = encode(bytes, STANDARD);
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=');
}

export const base64UrlOf = (bytes: Uint8Array): string => encode(bytes, FOR_URLS);

function decode(text: string, alphabet: string): Uint8Array | undefined {
  const bytes: number[] = [];
  let rest = 0;
  let restBits = 0;
  for (const digit of text) {
    rest = (rest << 6) | alphabet.indexOf(digit);
    restBits += 6;
    if (restBits < 8) continue;
    restBits -= 8;
    bytes.push(rest >> restBits);
    rest &= (1 << restBits) - 1;
  }
  return rest === 0 ? Uint8Array.from(bytes) : undefined;
}

function encode(bytes: Uint8Array, alphabet: string): string {
  let text = '';
  let rest = 0;
  let restBits = 0;
  for (const byte of bytes) {
    rest = (rest << 8) | byte;
    restBits += 8;
    while (restBits >= 6) {
      restBits -= 6;
      text += alphabet.charAt(rest >> restBits);
      rest &= (1 << restBits) - 1;
    }
  }
  return restBits === 0 ? text : text + alphabet.charAt(rest << (6 - restBits));
}

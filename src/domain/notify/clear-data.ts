import type { NotifyData, NotifyValue } from './events.ts';

/** Characters of one text, and texts of one list: a payload stays far below the 20 kB that receivers like. */
const TEXT_LENGTH_MAX = 500;
const LIST_LENGTH_MAX = 20;

/** Addresses of EVM and in bech32. */
const PLAIN_ADDRESS = /\b(?:0x[0-9a-fA-F]{40}|(?:bc|tb|ltc)1[0-9a-z]{20,90})\b/g;
/** Words in which digits and letters of both cases are mixed are addresses in base58, or those of TON. */
const LONG_WORD = /\b(?:[A-Za-z0-9_-]{48}|[A-Za-z0-9]{26,})\b/g;

/**
 * Data that may leave the house. The code puts no addresses into it. Sentences that people typed may hold one, and
 * notifications go to places where the file itself would never go.
 */
export const clearData = (data: NotifyData): NotifyData =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, clearValue(value)]));

function clearValue(value: NotifyValue): NotifyValue {
  if (typeof value === 'string') return clearText(value);
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  return value.slice(0, LIST_LENGTH_MAX).map(clearText);
}

const clearText = (text: string): string => {
  const hidden = text.replace(PLAIN_ADDRESS, '...').replace(LONG_WORD, hideIfMixed);
  const plain = hidden.replace(/\p{C}/gu, ' ');
  return plain.length <= TEXT_LENGTH_MAX ? plain : `${plain.slice(0, TEXT_LENGTH_MAX)}...`;
};

const hideIfMixed = (word: string): string =>
  /[A-Z]/.test(word) && /[a-z]/.test(word) && /\d/.test(word) ? '...' : word;

import { flagInvalid } from './flag-error.ts';

/** Reads a flag that limits a list: a whole number from 1 up. Throws FLAG_INVALID. */
export const readLimit = (text: string): number => readCount('--limit', text);

/** Reads a whole number from 1 up. Throws FLAG_INVALID. */
export function readCount(flag: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw flagInvalid(flag, `"${text}" is not a whole number from 1 up`);
}

/** Reads a comma list of words of which each must be one of the choices, in any case. Throws FLAG_INVALID. */
export function readChoices<Choice extends string>(
  flag: string,
  text: string,
  choices: readonly Choice[],
): Choice[] {
  return text.split(',').map((word) => {
    const choice = choices.find((one) => one === word.trim().toUpperCase());
    if (choice !== undefined) return choice;
    throw flagInvalid(flag, `"${word}" is none of ${choices.join(', ')}`);
  });
}

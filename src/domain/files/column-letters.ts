const LETTERS = 26;
const CODE_OF_A = 65;

/** The letters of a column of a workbook, from 0: `A`, `Z`, `AA`. */
export function columnLetters(position: number): string {
  const letter = String.fromCharCode(CODE_OF_A + (position % LETTERS));
  return position < LETTERS ? letter : columnLetters(Math.floor(position / LETTERS) - 1) + letter;
}

/** The column with these letters, from 0; -1 for none. */
export const columnPosition = (letters: string): number =>
  [...letters].reduce(
    (number, letter) => number * LETTERS + letter.charCodeAt(0) - CODE_OF_A + 1,
    0,
  ) - 1;

const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/** A word as a POSIX shell reads it. */
export const shellWord = (word: string): string =>
  PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

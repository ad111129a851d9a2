/** Reads a comma list of names of the service, in any case. Unknown names pass: the service may have new ones. */
export const readNames = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim().toUpperCase())
    .filter((name) => name !== '');

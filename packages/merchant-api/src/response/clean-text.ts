/**
 * Control and format characters, lone surrogates, and the two line separators. They can forge a log
 * line or hide text.
 */
const HIDDEN_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const WITHHELD = '[withheld]';

/**
 * Makes text of the service safe for an error: no hidden characters, none of the `withheld` strings
 * (a service may quote the signature), and at most `lengthMax` characters.
 */
export function cleanText(
  text: string,
  options: { lengthMax: number; withheld?: readonly string[] },
): string {
  const { lengthMax, withheld = [] } = options;
  const visible = withheld.reduce(
    (clean, secret) => clean.replaceAll(secret, WITHHELD),
    text.replace(HIDDEN_CHARACTERS, ''),
  );
  // Twice as many code units as characters: a pair cut in half at the end is then cut off as a
  // whole.
  return Array.from(visible.slice(0, 2 * lengthMax))
    .slice(0, lengthMax)
    .join('');
}

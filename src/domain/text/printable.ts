/** Control characters, and those that make text look other than it is: they could drive a terminal or mislead a reader. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/** A stranger's text made safe to show: each hidden character is shown as `\u{...}`. */
export const printable = (text: string): string =>
  text.replace(UNPRINTABLE, (hidden) => `\\u{${(hidden.codePointAt(0) ?? 0).toString(16)}}`);

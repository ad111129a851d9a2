/** Control characters, and those that change how text looks: they could drive a terminal or mislead a reader. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/** Of these a page may have tabs and line ends, which only lay text out. */
const HIDDEN = /[^\P{Cc}\t\n]|[\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/** As {@link printable}, for a text of several lines. */
export const printableLines = (text: string): string => text.replace(HIDDEN, shown);

/** A foreign text made safe to show: each hidden character is shown as `\u{...}`. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, shown);

const shown = (hidden: string): string => `\\u{${(hidden.codePointAt(0) ?? 0).toString(16)}}`;

import { storedDecimal } from '../../domain/money/stored-number.ts';
import { amountStyle, TEXT_STYLE } from './styles-xml.ts';

/** Characters of a cell that Excel takes. A longer text makes it repair the file. */
export const CELL_CHARS_MAX = 32_767;

/** The end of a text that was cut. */
const CUT = '…';

/** A text in a cell of its own, never a formula. `name`: the cell, such as `C7`. `style`: how it looks. */
export const textCell = (name: string, text: string, style = TEXT_STYLE): string =>
  `<c r="${name}" s="${style}" t="inlineStr"><is>${textXml(text)}</is></c>`;

/**
 * A decimal as a number of exactly these digits, and any other text as {@link textCell}. Excel keeps 15 digits of a number,
 * so a longer decimal stays a text. `style`: missing, it shows as many decimals as the text has.
 */
export function numberCell(name: string, text: string, style = amountStyle(text)): string {
  const stored = storedDecimal(text);
  return stored.ok && stored.text === text && style !== undefined
    ? `<c r="${name}" s="${style}"><v>${text}</v></c>`
    : textCell(name, text);
}

/** XML drops spaces at the ends of a text that is not marked. */
const ENDS_WITH_SPACE = /^\s|\s$/;

function textXml(text: string): string {
  const short = text.length > CELL_CHARS_MAX ? cut(text) : text;
  const mark = ENDS_WITH_SPACE.test(short) ? ' xml:space="preserve"' : '';
  return `<t${mark}>${escaped(short)}</t>`;
}

/** Cuts between two characters, never within one. */
const cut = (text: string): string =>
  text.slice(0, CELL_CHARS_MAX - CUT.length).replace(/[\uD800-\uDBFF]$/, '') + CUT;

/** One test of the whole text: most have none of these. */
// oxlint-disable-next-line no-control-regex
const SPECIAL = /[&<>\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]|_x/;
/** Characters that XML 1.0 does not have. */
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;
/** A text like `_x0041_` would be read as the character with that code. */
const LIKE_WRITTEN_OUT = /_(?=x[0-9A-Fa-f]{4}[_\r])/g;

const escaped = (text: string): string =>
  SPECIAL.test(text)
    ? text
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replace(FORBIDDEN, visible)
        .replace(LIKE_WRITTEN_OUT, '_x005F_')
        .replaceAll('\r', '_x000D_')
    : text;

/** The first of the pictures of the control characters, as in `␀`. */
const CONTROL_PICTURES = 0x2400;
const CONTROLS_END = 0x20;

function visible(character: string): string {
  const code = character.charCodeAt(0);
  return code < CONTROLS_END ? String.fromCharCode(CONTROL_PICTURES + code) : '\uFFFD';
}

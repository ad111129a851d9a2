import { MAIN, XML } from './xml-names.ts';

/** Styles of cells, by their indexes in the part with the styles. A person who edits a text cell keeps a text. */
export const PLAIN_STYLE = 0;
export const TEXT_STYLE = 1;
export const HEADER_STYLE = 2;
/** The style of a number without decimals. The one with one decimal follows, and so on. */
const AMOUNT_STYLE = 3;

/** Decimals of a number that a style shows. The smallest unit of any currency has 18. */
const DECIMALS_MAX = 18;

/** The style that shows all decimals of a decimal text; undefined: there is none for so many. */
export function amountStyle(text: string): number | undefined {
  const point = text.indexOf('.');
  const decimals = point === -1 ? 0 : text.length - point - 1;
  return decimals > DECIMALS_MAX ? undefined : AMOUNT_STYLE + decimals;
}

/** The number of the built-in format "text", and the first number of a format of our own. */
const TEXT_FORMAT = 49;
const OWN_FORMATS = 164;

const AMOUNT_FORMATS = Array.from({ length: DECIMALS_MAX + 1 }, (_, decimals) => ({
  id: OWN_FORMATS + decimals,
  code: `#,##0${decimals === 0 ? '' : `.${'0'.repeat(decimals)}`}`,
}));

const FORMATS = `<numFmts count="${AMOUNT_FORMATS.length}">${AMOUNT_FORMATS.map(({ id, code }) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`).join('')}</numFmts>`;
const FACE = '<sz val="11"/><name val="Calibri"/>';
const FONTS = `<fonts count="2"><font>${FACE}</font><font><b/>${FACE}</font></fonts>`;
const FILLS =
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>';
const BORDERS =
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>';

const styleXml = (format: number, font = 0): string =>
  `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`;

const STYLES = [
  styleXml(0),
  styleXml(TEXT_FORMAT),
  styleXml(TEXT_FORMAT, 1),
  ...AMOUNT_FORMATS.map(({ id }) => styleXml(id)),
];

/** The part with the styles. */
export const STYLES_XML = `${XML}<styleSheet xmlns="${MAIN}">${FORMATS}${FONTS}${FILLS}${BORDERS}<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${STYLES.length}">${STYLES.join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

import type { UncertainKind } from '../../domain/errors/uncertain-cells.ts';
import { readSmallPart, type Workbook } from './read-part.ts';

/** The kind of a format that does not show the stored number; undefined: it shows that, but for digits and signs. */
export type FormatKind = Extract<UncertainKind, 'date' | 'exponent' | 'format'> | undefined;

/** Returns the kind of a style, by its number. */
export type KindOfStyle = (style: number) => FormatKind;

/** Formats that every workbook has, by their numbers. */
const BUILT_IN: ReadonlyMap<number, FormatKind> = new Map([
  ...numbers([9, 10], 'format'),
  ...numbers([11, 48], 'exponent'),
  ...numbers([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47], 'date'),
  // Dates of eastern Asia.
  ...numbers([27, 28, 29, 30, 31, 32, 33, 34, 35, 36], 'date'),
  ...numbers([50, 51, 52, 53, 54, 55, 56, 57, 58], 'date'),
]);

function numbers(ids: readonly number[], kind: FormatKind): [number, FormatKind][] {
  return ids.map((id) => [id, kind]);
}

/** Reads the formats of the styles of a workbook. @throws WORKBOOK_UNREADABLE */
export async function readNumberFormats(
  workbook: Workbook,
  part: string | undefined,
): Promise<KindOfStyle> {
  const kinds = new Map(BUILT_IN);
  const styles: number[] = [];
  let isInStyles = false;
  if (part === undefined) return () => undefined;
  await readSmallPart(workbook, part, {
    open(name, { numFmtId: id = '0', formatCode: code = '' }) {
      if (name === 'cellXfs') isInStyles = true;
      if (name === 'numFmt') kinds.set(Number(id), kindOfFormat(code));
      if (name === 'xf' && isInStyles) styles.push(Number(id));
    },
    text: () => undefined,
    close(name) {
      if (name === 'cellXfs') isInStyles = false;
    },
  });
  return (style) => kinds.get(styles[style] ?? 0);
}

/** Characters of a format, as Excel allows. */
const CODE_CHARS_MAX = 255;

/** Texts of a format that it shows as they are, and its colours and conditions. */
const LITERALS = /"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi;

/** Returns the kind of a format such as `#,##0.00` or `dd.mm.yyyy`. Its first section counts. */
function kindOfFormat(code: string): FormatKind {
  if (code.length > CODE_CHARS_MAX) return 'format';
  const [section = ''] = code.replace(LITERALS, '').toLowerCase().split(';');
  if (section === 'general' || section === '@') return undefined;
  if (/e[+-]/.test(section)) return 'exponent';
  if (/[ymdhs]/.test(section)) return 'date';
  // A comma behind the last digit divides by a thousand.
  return /%|[0#?],+(?![0#?,])/.test(section) ? 'format' : undefined;
}

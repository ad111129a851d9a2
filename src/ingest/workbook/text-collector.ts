/** Collects the text of a cell, which may stand in several parts with formats of their own. */
export type TextCollector = Readonly<{
  begin(): void;
  open(name: string): void;
  text(part: string): void;
  close(name: string): void;
  /** Returns the text since `begin`. */
  take(): string;
}>;

/** The characters that a text may have: twice as many as Excel allows. */
const CHARS_MAX = 65_536;

export function createTextCollector(): TextCollector {
  let collected = '';
  let isInText = false;
  /** Marks of pronunciation stand beside the text of some Asian cells, and are no part of it. */
  let isInReading = false;
  return {
    begin() {
      collected = '';
      isInText = false;
      isInReading = false;
    },
    open(name) {
      if (name === 'rPh') isInReading = true;
      if (name === 't') isInText = !isInReading;
    },
    text(part) {
      if (!isInText) return;
      collected += part;
      if (collected.length > CHARS_MAX) throw new Error('a cell has too many characters');
    },
    close(name) {
      if (name === 't') isInText = false;
      if (name === 'rPh') isInReading = false;
    },
    take: () => plainText(collected),
  };
}

/** The form in which a workbook writes characters that XML does not have, as in `_x000D_`. */
const WRITTEN_OUT = /_x([0-9A-Fa-f]{4})_/g;

/** Returns the text of a cell with LF line ends. */
const plainText = (text: string): string =>
  text
    .replace(WRITTEN_OUT, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll('\r\n', '\n');

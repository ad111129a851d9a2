/** Whether a text is an amount where a comma divides decimals. */
export const hasDecimalComma = (text: string): boolean => /^\d+,\d+$/.test(text);

/** An amount with a decimal point instead of its decimal comma. Another text stays as it is. */
export const withPoint = (text: string): string =>
  hasDecimalComma(text) ? text.replace(',', '.') : text;

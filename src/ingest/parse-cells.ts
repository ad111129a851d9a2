import papaparse from 'papaparse';

/**
 * Splits complete rows into cells with Papa Parse. The text must end with a line feed.
 * `scanRows` must have accepted the text, because it is stricter about quotes. A disagreement of
 * the two readers throws.
 */
export function parseCells(text: string, delimiter: string): string[][] {
  const parser = new papaparse.Parser({ delimiter, newline: '\n' });
  const { data, errors } = parser.parse(text, 0, true) as Parsed;
  if (errors.length > 0)
    throw new Error(`the scan accepted rows that the parser refuses: ${errors[0]?.code}`);
  return data;
}

type Parsed = Readonly<{ data: string[][]; errors: readonly Readonly<{ code: string }>[] }>;

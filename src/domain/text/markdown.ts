import { printable } from './printable.ts';

/** Text that is Markdown by our own will. */
export type Markdown = Readonly<{ markdown: string }>;

/** A part of a page: anything that is not Markdown is shown as plain text. */
export type Part = string | number | Markdown;

/** One part of a page: lines that belong together. */
export type Block = readonly string[];

/**
 * A foreign text is shown up to this many bytes of UTF-8. The longest sentence of ours that people must read to its
 * end, which batches hold how much of an account, is shorter.
 */
const TEXT_BYTES_MAX = 600;

/** A page is cut after this many bytes of UTF-8: the web UI requests it often, and it travels in an address. */
const PAGE_BYTES_MAX = 4_000;

/**
 * All characters with a meaning in the middle of a line, for each of the renderers in the web UIs of Temporal. That of
 * the dev server passes HTML through, fills in `{namespace}`, makes links of addresses and a dash of two hyphens.
 */
const MARKUP = /[\\`*_{}[\]|&<>~$]|--|:(?=[^\s\d])/g;

/** Writes Markdown in which everything that is filled in is only text: md`**${state}** since ${since}`. */
export const md = (literals: TemplateStringsArray, ...parts: readonly Part[]): Markdown => ({
  markdown: literals.map((literal, i) => literal + markdownOf(parts[i] ?? '')).join(''),
});

/** A text on one line, in which nothing is markup and nothing is hidden. */
export const plain = (text: string): string =>
  oneLine(text).replace(MARKUP, (found) => [...found].map((one) => `\\${one}`).join(''));

/** Words of ours to be copied, such as a command. What would end them is left out. */
export const code = (text: string): Markdown => ({
  markdown: `\`${oneLine(text).replaceAll(/[`|]/g, '')}\``,
});

/** A table of two columns. */
export const table = (
  rows: readonly (readonly [Part, Part])[],
  head: readonly [string, string] = ['', ''],
): Block =>
  rows.length === 0
    ? []
    : [
        `| ${head.join(' | ')} |`,
        '|---|---|',
        ...rows.map((row) => `| ${row.map(markdownOf).join(' | ')} |`),
      ];

export const paragraph = (part: Part): Block => [markdownOf(part)];

/** A whole page; what makes it too long is left out from its end, line by line. */
export function page(...blocks: readonly Block[]): string {
  const lines = blocks.filter(({ length }) => length > 0).flatMap((block) => [...block, '']);
  let bytes = 0;
  const tooFar = lines.findIndex((one) => (bytes += utf8Bytes(one) + 1) > PAGE_BYTES_MAX);
  const shown = tooFar === -1 ? lines : [...lines.slice(0, tooFar), '', '(shortened)'];
  return [shown.join('\n').trimEnd(), '', LAST_LINE].join('\n');
}

/** The web UI shows a page in a frame that is a line too low: the last line is one that no reader needs. */
const LAST_LINE = '\u00a0';

/** The purpose of a step or a timer, in one line. The web UI shows it as text. */
export const stepSummary = (text: string): string => summary(text, (line) => line);

/** The purpose of a workflow, in one line. The web UI shows it as Markdown. */
export const workflowSummary = (text: string): string => summary(text, plain);

/** Bytes of JSON that Temporal promises to take as a summary. Where it takes no more, a longer one would stop the workflow. */
const SUMMARY_JSON_BYTES_MAX = 400;
const SUMMARY_CUT_BYTES = 20;

function summary(text: string, write: (line: string) => string): string {
  const line = oneLine(text);
  for (let bytesMax = SUMMARY_JSON_BYTES_MAX; ; bytesMax -= SUMMARY_CUT_BYTES) {
    const written = write(cutBytes(line, bytesMax));
    if (utf8Bytes(JSON.stringify(written)) <= SUMMARY_JSON_BYTES_MAX) return written;
  }
}

function markdownOf(part: Part): string {
  return typeof part === 'object' ? part.markdown : plain(String(part));
}

function oneLine(text: string): string {
  const line = printable(text.replaceAll(/\s+/g, ' '));
  const cut = cutBytes(line, TEXT_BYTES_MAX);
  return cut === line ? line : `${cut}...`;
}

/** How many bytes a text has in UTF-8. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) bytes += bytesOf(character.codePointAt(0) ?? 0);
  return bytes;
}

/** The beginning of a text that has at most so many bytes in UTF-8; no character is cut in two. */
export function cutBytes(text: string, bytesMax: number): string {
  let [bytes, end] = [0, 0];
  for (const character of text) {
    bytes += bytesOf(character.codePointAt(0) ?? 0);
    if (bytes > bytesMax) return text.slice(0, end);
    end += character.length;
  }
  return text;
}

function bytesOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

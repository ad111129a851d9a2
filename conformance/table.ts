import type { Tried } from './suite.ts';

const WORDS: Readonly<Record<Tried['verdict']['kind'], string>> = {
  met: 'met',
  broken: 'BROKEN',
  open: 'open',
  'left-out': 'left out',
};

const VERDICT_CHARS = Math.max(...Object.values(WORDS).map(({ length }) => length));

/** One line for people: verdict, check, sentence, and what was found. */
export function lineOf({ check, verdict }: Tried): string {
  const found =
    verdict.found === undefined ? '' : `\n${' '.repeat(VERDICT_CHARS + 2)}${verdict.found}`;
  return `${WORDS[verdict.kind].padEnd(VERDICT_CHARS)}  ${check.id}: ${check.sentence}${found}`;
}

export const countsOf = (tried: readonly Tried[]): string =>
  (Object.keys(WORDS) as Tried['verdict']['kind'][])
    .map((kind) => `${tried.filter(({ verdict }) => verdict.kind === kind).length} ${WORDS[kind]}`)
    .join(', ');

/** The same for documents: a Markdown table of sentence, test and verdict. */
export const markdownOf = (tried: readonly Tried[]): string =>
  [
    '| section | sentence | test | verdict |',
    '|---|---|---|---|',
    ...tried.map(
      ({ check, verdict }) =>
        `| ${check.section} | ${cell(check.sentence)} | \`${check.id}\` | ${WORDS[verdict.kind]}${
          verdict.found === undefined ? '' : `: ${cell(verdict.found)}`
        } |`,
    ),
  ].join('\n');

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

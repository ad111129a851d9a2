import type { Verdict } from './check.ts';
import type { Tried } from './suite.ts';

const WORDS: Readonly<Record<Verdict['kind'], string>> = {
  met: 'met',
  broken: 'BROKEN',
  open: 'open',
};

const VERDICT_CHARS = Math.max(...Object.values(WORDS).map(({ length }) => length));

/** One line for people: verdict, check, sentence; and a second one where there is more to say. */
export function lineOf({ check, verdict }: Tried): string {
  const remark = remarkOf(verdict);
  const more = remark === '' ? '' : `\n${' '.repeat(VERDICT_CHARS + 2)}${remark}`;
  return `${WORDS[verdict.kind].padEnd(VERDICT_CHARS)}  ${check.id}: ${check.sentence}${more}`;
}

function remarkOf(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'met':
      return verdict.found ?? '';
    case 'broken':
      return `expected ${verdict.expected}; came ${verdict.came}`;
    case 'open':
      return verdict.reason;
  }
}

export const countsOf = (tried: readonly Tried[]): Readonly<Record<Verdict['kind'], number>> => {
  const count = (kind: Verdict['kind']): number =>
    tried.filter(({ verdict }) => verdict.kind === kind).length;
  return { met: count('met'), broken: count('broken'), open: count('open') };
};

export const summaryOf = (tried: readonly Tried[]): string => {
  const { met, broken, open } = countsOf(tried);
  return `${met} met, ${broken} BROKEN, ${open} open`;
};

/** A Markdown table of sentence, test and verdict, with a remark only where something is not met. */
export const markdownOf = (tried: readonly Tried[]): string =>
  [
    '| section | sentence | test | verdict |',
    '|---|---|---|---|',
    ...tried.map(({ check, verdict }) => {
      const remark = verdict.kind === 'met' ? '' : `: ${cell(remarkOf(verdict))}`;
      return `| ${check.section} | ${cell(check.sentence)} | \`${check.id}\` | ${WORDS[verdict.kind]}${remark} |`;
    }),
    '',
    summaryOf(tried),
  ].join('\n');

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** For programs; README.md names the fields. */
export const jsonOf = (tried: readonly Tried[]): string =>
  JSON.stringify({
    schema: 'bursar.conformance/v1',
    counts: countsOf(tried),
    checks: tried.map(({ check, verdict: { kind, ...more } }) => ({
      ...check,
      verdict: kind,
      ...more,
    })),
  });

import { causesOf, choicesOf, notTriedOf } from './causes.ts';
import type { CheckVerdict } from './check.ts';
import type { ProbeFindings } from './probes/probe.ts';
import type { TriedCheck } from './suite.ts';

const WORDS: Readonly<Record<CheckVerdict['kind'], string>> = {
  met: 'met',
  broken: 'BROKEN',
  open: 'open',
};

const VERDICT_CHARS = Math.max(...Object.values(WORDS).map(({ length }) => length));

/** Returns a line for people: verdict, check and sentence. A remark follows on a second line. */
export function lineOf({ check, verdict }: TriedCheck): string {
  const remark = remarkOf(verdict);
  const more = remark === '' ? '' : `\n${' '.repeat(VERDICT_CHARS + 2)}${remark}`;
  return `${WORDS[verdict.kind].padEnd(VERDICT_CHARS)}  ${check.id}: ${check.sentence}${more}`;
}

function remarkOf(verdict: CheckVerdict): string {
  switch (verdict.kind) {
    case 'met':
      return verdict.found ?? '';
    case 'broken':
      return `expected ${verdict.expected}; came ${verdict.came}`;
    case 'open':
      return verdict.reason;
  }
}

export const countsOf = (
  tried: readonly TriedCheck[],
): Readonly<Record<CheckVerdict['kind'], number>> => {
  const count = (kind: CheckVerdict['kind']): number =>
    tried.filter(({ verdict }) => verdict.kind === kind).length;
  return { met: count('met'), broken: count('broken'), open: count('open') };
};

export const summaryOf = (tried: readonly TriedCheck[]): string => {
  const { met, broken, open } = countsOf(tried);
  return `${met} met, ${broken} BROKEN, ${open} open`;
};

/**
 * Returns a Markdown table of sentence, test and verdict. Only checks that are not met have a
 * remark.
 */
export const markdownOf = (tried: readonly TriedCheck[]): string =>
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

/** Returns the results for programs. README.md names the fields. */
export const jsonOf = (tried: readonly TriedCheck[], findings: ProbeFindings | null): string =>
  JSON.stringify({
    schema: SCHEMA,
    counts: countsOf(tried),
    shapes: findings?.found ?? {},
    missing: [...(findings?.missing ?? [])].map(([operation, { at, came }]) => ({
      operation,
      at,
      came,
    })),
    causes: causesOf(tried),
    choices: choicesOf(tried),
    notTried: notTriedOf(tried),
    checks: tried.map(({ check, verdict: { kind, ...more } }) => ({
      ...check,
      verdict: kind,
      ...more,
    })),
  });

/** The name of the form of the JSON. Fields are only added to it. */
export const SCHEMA = 'bursar.conformance/v1';

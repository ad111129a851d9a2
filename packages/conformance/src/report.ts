import type { ShapeChoices } from '@bursar/merchant-api/spec';
import { causesOf, choicesOf, notTriedOf } from './causes.ts';
import type { ProbeFindings } from './probes/probe.ts';
import type { TriedCheck } from './suite.ts';
import { summaryOf } from './table.ts';

const COLUMNS = 80;
const INDENT = '  ';

/** Ids and sentences that are shown of one group. The JSON has all. */
const SHOWN_MAX = 6;

/** Returns the results for people: breaches, then choices, then open checks. */
export function reportOf(tried: readonly TriedCheck[], findings: ProbeFindings | null): string {
  const sections = [
    ...(findings === null ? [] : [shapesSection(findings.found)]),
    breachSection(tried),
    choiceSection(tried),
    notTriedSection(tried),
    [summaryOf(tried)],
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function shapesSection(found: ShapeChoices): readonly string[] {
  const entries = Object.entries(found);
  if (entries.length === 0) return [];
  return [
    'How this service is called',
    ...entries.map(([name, value]) => `${INDENT}${name}: ${String(value)}`),
  ];
}

function breachSection(tried: readonly TriedCheck[]): readonly string[] {
  const causes = causesOf(tried);
  if (causes.length === 0) return [];
  const sentences = new Map(tried.map(({ check: { id, sentence } }) => [id, sentence]));
  return [
    'BROKEN: the service does something else than the specification says',
    ...causes.flatMap(({ expected, came, checks }) => [
      ...wrapped(`BROKEN  expected ${expected}; came ${came}`, INDENT),
      ...listed(checks, (id) => `${id}: ${sentences.get(id) ?? ''}`),
    ]),
  ];
}

function choiceSection(tried: readonly TriedCheck[]): readonly string[] {
  const choices = choicesOf(tried);
  if (choices.length === 0) return [];
  return [
    'Choices: the specification leaves the point open',
    ...choices.flatMap(({ id, choice }) => wrapped(`${id}: ${choice}`, INDENT)),
  ];
}

function notTriedSection(tried: readonly TriedCheck[]): readonly string[] {
  const groups = notTriedOf(tried);
  if (groups.length === 0) return [];
  return [
    'Not tried',
    ...groups.flatMap(({ reason, checks }) =>
      wrapped(`open  ${reason}: ${sentencesLeft(checks)}`, INDENT),
    ),
  ];
}

const sentencesLeft = (checks: readonly string[]): string =>
  checks.length === 1 ? String(checks[0]) : `${checks.length} sentences`;

function listed(ids: readonly string[], lineOf: (id: string) => string): string[] {
  const rest = ids.length - SHOWN_MAX;
  return [
    ...ids.slice(0, SHOWN_MAX).flatMap((id) => wrapped(lineOf(id), INDENT.repeat(2))),
    ...(rest > 0 ? [`${INDENT.repeat(2)}and ${rest} more`] : []),
  ];
}

/** Breaks a text at blanks into lines of 80 columns. A longer word stays whole. */
function wrapped(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    const isFirst = line.trim() === '';
    if (!isFirst && line.length + 1 + word.length > COLUMNS) {
      lines.push(line);
      line = `${indent}${INDENT}${word}`;
    } else line = isFirst ? `${line}${word}` : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Returns the results as a document in Markdown, with a table of all checks at its end. */
export function documentOf(
  tried: readonly TriedCheck[],
  findings: ProbeFindings | null,
  table: string,
): string {
  const rows = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''];
  const idsOf = (ids: readonly string[]): string => ids.map((id) => `\`${id}\``).join(', ');
  const shapes = Object.entries(findings?.found ?? {});
  return [
    ...rows(
      'How this service is called',
      shapes.map(([name, value]) => `- \`${name}\`: ${String(value)}`),
    ),
    ...rows(
      'BROKEN',
      causesOf(tried).map(
        ({ expected, came, checks }) => `- expected ${expected}; came ${came}: ${idsOf(checks)}`,
      ),
    ),
    ...rows(
      'Choices',
      choicesOf(tried).map(({ id, choice }) => `- \`${id}\`: ${choice}`),
    ),
    ...rows(
      'Not tried',
      notTriedOf(tried).map(({ reason, checks }) => `- ${reason}: ${idsOf(checks)}`),
    ),
    ...rows('Every check', [table]),
  ].join('\n');
}

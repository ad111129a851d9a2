import { BursarError } from '../errors/bursar-error.ts';
import { nearest } from '../text/nearest.ts';

/** Everything that a template can name: facts about one paid row. */
export const NOTICE_PLACEHOLDERS = [
  'name',
  'amount',
  'currency',
  'reference',
  'comment',
  'date',
  'hash',
] as const;

export type NoticePlaceholder = (typeof NOTICE_PLACEHOLDERS)[number];

/** The values of one row. A value that the row lacks is empty. */
export type NoticeFacts = Readonly<Record<NoticePlaceholder, string>>;

/** A checked template. */
export type NoticeTemplate = Readonly<{ subject: string; lines: readonly string[] }>;

/** The text of one e-mail: plain, without mark-up. */
export type Notice = Readonly<{ subject: string; text: string }>;

/** Characters (UTF-16 units) of a template, of one value in it, and of a subject. */
const TEMPLATE_CHARS_MAX = 10_000;
const VALUE_CHARS_MAX = 500;
const SUBJECT_CHARS_MAX = 200;

const PLACEHOLDER = /\{(\w{1,40})\}/g;

/**
 * Reads a template: a line `Subject: ...`, an empty line, and the text. A line whose placeholders are all empty is left out of
 * the e-mail. @throws NOTICE_TEMPLATE_INVALID with the first line that cannot be used
 */
export function readNoticeTemplate(file: string, given: string): NoticeTemplate {
  const refuse = (line: number, problem: string): never => {
    throw new BursarError('NOTICE_TEMPLATE_INVALID', { file, line, problem });
  };
  if (given.length > TEMPLATE_CHARS_MAX) {
    refuse(1, `the text has more than ${TEMPLATE_CHARS_MAX} characters`);
  }
  const [head = '', blank, ...lines] = given.replaceAll('\r\n', '\n').trimEnd().split('\n');
  const subject = /^Subject: *(\S.*)$/.exec(head)?.[1] ?? '';
  if (subject === '') refuse(1, 'it must begin with "Subject: " and the subject');
  if (blank !== '' || lines.length === 0) refuse(2, 'it must be empty, and the text follows it');
  for (const [index, line] of [subject, '', ...lines].entries()) {
    const problem = problemOf(line);
    if (problem !== null) refuse(index + 1, problem);
  }
  return { subject, lines };
}

function problemOf(line: string): string | null {
  if (/[^\P{C}\t]/u.test(line)) return 'it has a character that cannot be seen';
  for (const [, name = ''] of line.matchAll(PLACEHOLDER)) {
    if ((NOTICE_PLACEHOLDERS as readonly string[]).includes(name)) continue;
    const meant = nearest(name, NOTICE_PLACEHOLDERS);
    const hint = meant === undefined ? '' : ` (did you mean {${meant}}?)`;
    return `{${name}} is no placeholder${hint}`;
  }
  const rest = line.replace(PLACEHOLDER, '');
  return /[{}]/.test(rest) ? 'braces are only for placeholders' : null;
}

/** Fills a template. No value begins a line of its own or a header: line breaks and other control characters become blanks. */
export function noticeOf({ subject, lines }: NoticeTemplate, facts: NoticeFacts): Notice {
  const shown = filled(subject, facts).replace(/ {2,}/g, ' ').trim();
  return {
    subject: cut(shown, SUBJECT_CHARS_MAX),
    text: lines
      .filter((line) => isKept(line, facts))
      .map((line) => filled(line, facts))
      .join('\n'),
  };
}

const filled = (line: string, facts: NoticeFacts): string =>
  line.replace(PLACEHOLDER, (_place, name: NoticePlaceholder) => plain(facts[name]));

/** A line without a placeholder stays, and so does one with at least one value. */
function isKept(line: string, facts: NoticeFacts): boolean {
  const names = [...line.matchAll(PLACEHOLDER)].map(([, name]) => name as NoticePlaceholder);
  return names.length === 0 || names.some((name) => plain(facts[name]) !== '');
}

const plain = (value: string): string =>
  cut(value.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim(), VALUE_CHARS_MAX);

/** No half of a character is left at the end. */
const cut = (text: string, charsMax: number): string =>
  text.slice(0, charsMax).replace(/[\ud800-\udbff]$/, '');

import { entry } from './entry.ts';

/** Errors of notifications and of the webhook subscription. */
export const NOTIFY_ERRORS = {
  NOTIFY_SECRET_INVALID: entry<Readonly<{ target: string; file: string; reason: string }>>({
    category: 'usage',
    what: (f) =>
      `The secret of the notify target ${f.target} (${f.file}) cannot be used: ${f.reason}.`,
    why: 'Notifications are signed, so that a receiver can check that Bursar sent them.',
    fix: (f) =>
      `Make one: (umask 077; printf 'whsec_%s\\n' "$(openssl rand -base64 32)" > ${f.file})`,
  }),
  NOTIFY_ADDRESS_INVALID: entry<Readonly<{ target: string; file: string }>>({
    category: 'usage',
    what: (f) => `The file of the notify target ${f.target} (${f.file}) holds no https address.`,
    why: 'The file of a chat target holds the address of its incoming webhook, and nothing else.',
    fix: () => 'Copy the address from Slack or Microsoft Teams into the file.',
  }),
  NOTICE_TEMPLATE_INVALID: entry<Readonly<{ file: string; line: number; problem: string }>>({
    category: 'usage',
    what: (f) =>
      `The template of payee notices (${f.file}) cannot be used. Line ${f.line}: ${f.problem}.`,
    why: 'A worker checks the template when it starts, so that no payee receives a wrong text.',
    fix: (f) =>
      `Correct ${f.file}. Placeholders: {name}, {amount}, {currency}, {reference}, {comment}, {date}, {hash}.`,
  }),
  NOTICE_TEMPLATE_UNREADABLE: entry<Readonly<{ file: string; reason: string }>>({
    category: 'usage',
    what: (f) => `The template of payee notices (${f.file}) cannot be read: ${f.reason}.`,
    why: 'notices.template_file is set, so each payee with an e-mail address receives a notice.',
    fix: () => 'Correct notices.template_file, or remove the section notices.',
  }),
};

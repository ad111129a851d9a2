import { z } from 'zod';
import { filePath, readAs, wholeNumber } from './readers.ts';
import { mailbox, smtpUrl } from './rules-schema.ts';
import { smtpProblems } from './smtp-checks.ts';

const instant = readAs('an instant such as 2026-11-28T00:00:00Z', (given) => {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/.test(given)) return undefined;
  const atMs = Date.parse(given);
  return Number.isNaN(atMs) ? undefined : new Date(atMs).toISOString();
});

/** E-mails to the payees of paid rows. */
export const noticesSection = z
  .strictObject({
    template_file: filePath
      .optional()
      .describe('The text of the e-mail to the payee of a paid row. Without it payees get none.'),
    since: instant
      .optional()
      .describe(
        'Batches that were submitted before have no notices, so that none is late by months.',
      ),
    smtp: smtpUrl
      .optional()
      .describe('The server that takes the e-mail. With `smtp:` it must offer STARTTLS.'),
    secret_file: filePath.optional().describe('A file with the password of the user in `smtp`.'),
    from: mailbox.optional().describe('The sender of the e-mail.'),
    per_minute: wholeNumber({ min: 1, max: 600 })
      .default(60)
      .describe('How many notices are sent in a minute at most, by all workers of a store.'),
  })
  .superRefine((notices, context) => {
    const isOn = notices.template_file !== undefined;
    for (const key of ['since', 'smtp', 'from'] as const) {
      if ((notices[key] !== undefined) === isOn) continue;
      const message = isOn ? 'is needed for notices' : 'is only for notices.template_file';
      context.addIssue({ code: 'custom', path: [key], message });
    }
    for (const { key, says } of smtpProblems(notices)) {
      context.addIssue({ code: 'custom', path: [key], message: says });
    }
  })
  .prefault({});

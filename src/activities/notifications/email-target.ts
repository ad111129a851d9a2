import { isBursarError } from '../../domain/errors/bursar-error.ts';
import {
  type NotificationText,
  notificationText,
  plainLines,
} from '../../domain/notify/notification-text.ts';
import { messageIdOf, sendMail } from '../smtp/send-mail.ts';
import { type Delivered, failed, type Message, type Target, TRY_MS_MAX } from './target.ts';

export type EmailTargetOptions = Readonly<{
  name: string;
  events: readonly string[];
  /** `smtps://USER@HOST:PORT`, or `smtp:` with STARTTLS. */
  smtp: string;
  from: string;
  to: string;
  /** Reads the password of the user at each try. */
  readPassword(): string;
  tryMsMax?: number;
}>;

/**
 * A target that gets e-mail. TLS is required, unless the server is on this machine. Every try has the same Message-ID
 * and Date, so that a mailbox knows a repeated message.
 */
export const createEmailTarget = (options: EmailTargetOptions): Target => ({
  name: options.name,
  events: options.events,
  async deliver(message) {
    try {
      return await send(message, options);
    } catch (error) {
      if (isBursarError(error)) return failed(error.note.what);
      throw error;
    }
  },
});

async function send(message: Message, options: EmailTargetOptions): Promise<Delivered> {
  const { from, to, tryMsMax = TRY_MS_MAX } = options;
  const text = notificationText(message.body);
  const { timestamp } = JSON.parse(message.body) as Readonly<{ timestamp: string }>;
  const sent = await sendMail(options, {
    from: { name: 'Bursar', address: from },
    to,
    subject: text.subject,
    messageId: messageIdOf(message.id, from),
    date: new Date(timestamp),
    text: plainLines(text).join('\n'),
    html: htmlOf(text),
    tryMsMax,
  });
  return sent.kind === 'accepted' ? { kind: 'delivered' } : failed(sent.why);
}

/** A page without pictures, styles or anything else that is loaded. */
export function htmlOf({ happened, facts, wanted, commands, link }: NotificationText): string {
  const rows = facts.map(
    ([label, value]) => `<tr><td>${escaped(label)}</td><td>${escaped(value)}</td></tr>`,
  );
  return [
    `<p>${escaped(happened)}</p>`,
    ...(rows.length === 0 ? [] : [`<table>${rows.join('')}</table>`]),
    ...(wanted === null ? [] : [`<p><b>${escaped(wanted)}</b></p>`]),
    ...(link === null ? [] : [`<p><a href="${escaped(link)}">Open in Bursar</a></p>`]),
    ...(commands.length === 0 ? [] : [`<pre>${escaped(commands.join('\n'))}</pre>`]),
  ].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

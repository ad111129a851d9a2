import { createTransport, type SMTPTransportOptions } from 'nodemailer';
import { isLoopbackUrl } from '../../config.ts';
import { isBursarError } from '../../domain/errors/bursar-error.ts';
import {
  type NotificationText,
  notificationText,
  plainLines,
} from '../../domain/notify/notification-text.ts';
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
      return failed(isBursarError(error) ? error.note.what : reasonOf(error));
    }
  },
});

async function send(message: Message, options: EmailTargetOptions): Promise<Delivered> {
  const { from, to, tryMsMax = TRY_MS_MAX } = options;
  const transport = createTransport(serverOf(options, tryMsMax));
  const text = notificationText(message.body);
  const { timestamp } = JSON.parse(message.body) as Readonly<{ timestamp: string }>;
  const sent = transport.sendMail({
    from: { name: 'Bursar', address: from },
    to,
    subject: text.subject,
    messageId: `<${message.id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    date: new Date(timestamp),
    text: plainLines(text).join('\n'),
    html: htmlOf(text),
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Delivered>((resolve) => {
    timer = setTimeout(() => resolve(failed('no answer in time')), tryMsMax);
  });
  try {
    return await Promise.race([sent.then((): Delivered => ({ kind: 'delivered' })), late]);
  } finally {
    clearTimeout(timer);
  }
}

function serverOf(
  { smtp, readPassword }: EmailTargetOptions,
  tryMsMax: number,
): SMTPTransportOptions {
  const { protocol, hostname, port, username } = new URL(smtp);
  const secure = protocol === 'smtps:';
  const isHere = isLoopbackUrl(smtp);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !isHere,
    ignoreTLS: !secure && isHere,
    connectionTimeout: tryMsMax,
    greetingTimeout: tryMsMax,
    socketTimeout: tryMsMax,
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: readPassword() } }),
  };
}

/** A code alone: what a server answers in words can hold addresses. */
function reasonOf(error: unknown): string {
  const { responseCode, code, name } = error as Readonly<{
    responseCode?: number;
    code?: string;
    name: string;
  }>;
  return responseCode === undefined ? (code ?? name) : `SMTP status ${responseCode}`;
}

/** A page without pictures, styles or anything else that is loaded. */
function htmlOf({ happened, facts, wanted, commands, link }: NotificationText): string {
  const rows = facts.map(
    ([label, value]) => `<tr><td>${escaped(label)}</td><td>${escaped(value)}</td></tr>`,
  );
  return [
    `<p>${escaped(happened)}</p>`,
    ...(rows.length === 0 ? [] : [`<table>${rows.join('')}</table>`]),
    ...(wanted === null ? [] : [`<p><b>${escaped(wanted)}</b></p>`]),
    ...(link === null ? [] : [`<p><a href="${escaped(link)}">Open the batch</a></p>`]),
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

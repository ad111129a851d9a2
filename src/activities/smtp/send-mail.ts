import { PassThrough } from 'node:stream';
import { createTransport, type SMTPTransportOptions } from 'nodemailer';
import { isLoopbackUrl } from '../../config.ts';

/** A server that takes e-mail. */
export type MailServer = Readonly<{
  /** `smtps://USER@HOST:PORT`, or `smtp:` with STARTTLS. */
  smtp: string;
  /** Reads the password of the user at each try. */
  readPassword(): string;
}>;

export type Mail = Readonly<{
  from: string | Readonly<{ name: string; address: string }>;
  to: string;
  subject: string;
  messageId: string;
  date: Date;
  text: string;
  html?: string;
  /** How long the try may take in all, in milliseconds. */
  tryMsMax: number;
}>;

/**
 * The result of one try. `mayArrive`: the message was on its way when the connection or the time was over, so the server may
 * have it. `why`: a code, since the words of a server can hold addresses. `isFinal`: the server does not want this message.
 */
export type MailResult =
  | Readonly<{ kind: 'accepted' }>
  | Readonly<{ kind: 'failed'; why: string; mayArrive: boolean; isFinal: boolean }>;

/** The same for every try of one message, so that a mailbox recognises a repeated one. */
export const messageIdOf = (id: string, from: string): string =>
  `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`;

/**
 * Sends one e-mail over a connection of its own, which is closed when the time is over. TLS is required, unless the server is on
 * this machine. Throws only the errors of `readPassword`.
 */
export async function sendMail(server: MailServer, mail: Mail): Promise<MailResult> {
  const { tryMsMax, ...parts } = mail;
  const transport = createTransport(serverOf(server, tryMsMax));
  let isUnderWay = false;
  // The message is first read when the server waits for it, and a transform is made at that moment.
  transport.use('stream', ({ message }, done) => {
    message.transform(() => {
      isUnderWay = true;
      return new PassThrough();
    });
    done();
  });
  const signal = AbortSignal.timeout(tryMsMax);
  try {
    await transport.sendMail({
      ...parts,
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
      signal,
    });
    return { kind: 'accepted' };
  } catch (error) {
    return failureOf(error as MailError, { isUnderWay, isLate: signal.aborted });
  }
}

type MailError = Readonly<{
  responseCode?: number;
  code?: string;
  command?: string;
  name: string;
}>;

function failureOf(
  { responseCode, code, command, name }: MailError,
  { isUnderWay, isLate }: Readonly<{ isUnderWay: boolean; isLate: boolean }>,
): MailResult {
  const isRefused = responseCode !== undefined && !isLate;
  const codeText = isRefused ? `SMTP status ${responseCode}` : (code ?? name);
  return {
    kind: 'failed',
    why: isLate ? 'no answer in time' : codeText,
    mayArrive: isUnderWay && !isRefused,
    isFinal: isRefused && responseCode >= 500 && isAboutMessage(command),
  };
}

/** A refused login or sender is a wrong setting, and not the fault of this message. */
const isAboutMessage = (command: string | undefined): boolean =>
  command === 'RCPT TO' || command === 'DATA';

function serverOf({ smtp, readPassword }: MailServer, tryMsMax: number): SMTPTransportOptions {
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

import type { Settings } from '../../config.ts';
import { ROLES, type Role } from '../../domain/access/role.ts';
import { addToken, removeToken } from '../../app/tokens/token-file.ts';
import { readTokens, tokenNameProblem } from '../../app/tokens/tokens.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { loadSettings } from '../../operations/batch/sources.ts';
import { readDurationMs } from '../../operations/input/duration.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';
import { instantText } from '../../operations/text/instants.ts';
import type { Context } from '../context.ts';
import { printList, printResult } from '../print/output.ts';
import { refuseAtServer } from '../server-place.ts';
import { createTable } from '../terminal/table.ts';

type CreateFlags = Readonly<{ name: string; role: string; expires?: string; forAccount?: string }>;

/** A year; longer-lived tokens are rotated by no one. */
const DAYS_MAX = 366;

/** `bursar token create NAME`: makes a token, and prints it once. */
export async function createToken(flags: CreateFlags, context: Context): Promise<number> {
  const serve = await serveHere(context);
  const problem = tokenNameProblem(flags.name);
  if (problem !== null) throw flagInvalid('NAME', `"${flags.name}" ${problem}`);
  const nowMs = context.clock.nowMs();
  const choices = {
    name: flags.name,
    role: readRole(flags.role),
    account: flags.forAccount ?? null,
    expiresAt: readExpiry(flags.expires, nowMs),
  };
  const { whileLocked } = await import('../../local-stack/lock.ts');
  const { token, record } = whileLocked(serve.tokenFile, () =>
    addToken(serve.tokenFile, choices, nowMs),
  );
  const { sha256: _hash, ...shown } = record;
  const text = [
    `Token ${record.name}, role ${record.role}. It is shown only now:`,
    '',
    `  ${token}`,
    '',
    'Programs send it as "Authorization: Bearer ...".',
    `Revoke it with: bursar token revoke ${record.name}`,
  ].join('\n');
  printResult(context, { json: { schema: 'bursar.token/v1', ...shown, token }, text });
  return EXIT.done;
}

/** Where the tokens of a server on this machine are. @throws SERVER_CANNOT: a server hands out no token */
async function serveHere(context: Context): Promise<Settings['serve']> {
  refuseAtServer(context, 'the file of tokens');
  const { serve } = await loadSettings(context);
  return serve;
}

function readRole(text: string): Role {
  const role = ROLES.find((one) => one === text);
  if (role !== undefined) return role;
  throw flagInvalid('--role', `"${text}" is none of ${ROLES.join(', ')}`);
}

const readExpiry = (text: string | undefined, nowMs: number): string | null =>
  text === undefined
    ? null
    : new Date(nowMs + readDurationMs('--expires', text, DAYS_MAX)).toISOString();

/** `bursar token list`: every token, without the tokens themselves. */
export async function listTokens(_flags: object, context: Context): Promise<number> {
  const serve = await serveHere(context);
  const tokens = readTokens(serve.tokenFile).map(({ sha256: _hash, ...shown }) => shown);
  const table = createTable([
    { title: 'TOKEN', width: 24 },
    { title: 'ROLE', width: 8 },
    { title: 'ACCOUNT', width: 12 },
    { title: 'EXPIRES', width: 0 },
  ]);
  const count = await printList(context, tokens, {
    schema: 'bursar.token-list/v1',
    about: {},
    array: 'tokens',
    lineSchema: 'bursar.token-line/v1',
    header: table.header(),
    textOf: ({ name, role, account, expiresAt }: (typeof tokens)[number]) =>
      table.row([
        name,
        role,
        account ?? '-',
        expiresAt === null ? 'never' : instantText(expiresAt, context.clock),
      ]),
  });
  if (count === 0 && context.format === 'text') context.say('There are no tokens.');
  return EXIT.done;
}

/** `bursar token revoke NAME`: the next request with it is refused. */
export async function revokeToken(
  { name }: Readonly<{ name: string }>,
  context: Context,
): Promise<number> {
  const serve = await serveHere(context);
  const { whileLocked } = await import('../../local-stack/lock.ts');
  const { role } = whileLocked(serve.tokenFile, () => removeToken(serve.tokenFile, name));
  const json = { schema: 'bursar.token-revoke/v1', name, role };
  printResult(context, { json, text: `Token ${name} is revoked: its next request is refused.` });
  return EXIT.done;
}

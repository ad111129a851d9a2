import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ShapeChoices } from '@bursar/merchant-api/spec';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';

type Fields = Record<string, unknown>;
type Answer = readonly [status: number, body: object];

export const SPEC_KEY = 'spec-key';
export const SPEC_SECRET = 'spec-secret';
export const SPEC_ACCOUNT = `0x${'Ab12'.repeat(10)}`;

const refused = (status: number, errorCode: string): Answer => [
  status,
  { traceId: randomUUID(), errorCode, message: `It is refused: ${errorCode}.` },
];

const WINDOW_MS = 3 * 60_000;
const isText = (value: unknown): value is string => typeof value === 'string';
const isUuid = (value: unknown): boolean =>
  isText(value) && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function isRight(body: string, headers: IncomingHttpHeaders): boolean {
  const sign = createHmac('sha512', SPEC_SECRET).update(body).digest('hex');
  const isJson = headers['content-type'] === 'application/json';
  return headers['key'] === SPEC_KEY && headers['sign'] === sign && isJson;
}

/** Returns the error code of a wrong payload of a mass payout, or null. */
function mistakeIn(payload: unknown): string | null {
  if (!isFields(payload)) return 'PAYLOAD';
  const { massAddresses: rows, executionDate, idempotencyKey } = payload;
  const areTexts = ['currency', 'name', 'comment', 'externalId'].every(
    (name) => payload[name] === undefined || isText(payload[name]),
  );
  const areRows =
    Array.isArray(rows) &&
    rows.length > 0 &&
    rows.every(
      (row) =>
        isText(row.depositAddress) &&
        typeof row.amount === 'number' &&
        (row.comment === undefined || isText(row.comment)),
    );
  const isDate = isText(executionDate) && !Number.isNaN(Date.parse(executionDate));
  return areTexts && areRows && isDate && isUuid(idempotencyKey) ? null : 'FIELDS';
}

type Payout = { id: string; account: string; payload: Fields; createdMs: number };

function recordOf({ id, account, payload, createdMs }: Payout): object {
  const { massAddresses: rows, ...given } = payload;
  const amounts = (rows as readonly { amount: number }[]).map(({ amount }) => amount);
  const isDue = Date.now() > Date.parse(String(payload['executionDate']));
  const isNew = Date.now() - createdMs < 50;
  return {
    id,
    account,
    ...given,
    companyId: '00000000-0000-4000-8000-000000000001',
    state: isNew ? 'CREATION_IN_PROGRESS' : isDue ? 'COMPLETED' : 'CONFIRMED',
    totalWithdrawalAmount: amounts.reduce((sum, amount) => sum + amount, 0),
    totalFee: 0.1,
    totalFeePercentage: 1,
  };
}

/** Returns the names by which a request asks for a mass payout, or null when it is of another shape. */
function askedIn(body: Fields, shape: string): Fields | null {
  const { timestamp: _timestamp, account: _account, payload, ...flat } = body;
  const place = shape.startsWith('flat') ? flat : payload;
  const allowed = shape.endsWith('id-only')
    ? ['id']
    : shape.endsWith('key-only')
      ? ['idempotencyKey']
      : ['id', 'idempotencyKey'];
  if (!isFields(place) || Object.keys(place).length === 0) return null;
  return Object.keys(place).every((name) => allowed.includes(name)) ? place : null;
}

/** Choices of this service. */
export type SpecServerShapes = Readonly<{
  massGetAccepts: string;
  timestampUnit: NonNullable<ShapeChoices['timestampUnit']>;
  accountCase: NonNullable<ShapeChoices['accountCase']>;
  /** Whether mass payouts are made and read with `account`. */
  massHasAccount: boolean;
  refusesCreates: boolean;
}>;

export const SPEC_SHAPES: SpecServerShapes = {
  massGetAccepts: 'reference',
  timestampUnit: 'ms',
  accountCase: 'any',
  massHasAccount: true,
  refusesCreates: false,
};

export type SpecServer = Readonly<{ baseUrl: string; stop(): Promise<void> }>;

/** Starts a service with the three operations whose paths the specification shows. */
export async function startSpecServer(more: Partial<SpecServerShapes> = {}): Promise<SpecServer> {
  const shapes = { ...SPEC_SHAPES, ...more };
  const payouts: Payout[] = [];

  function isOwn(account: unknown): boolean {
    if (!isText(account)) return false;
    if (shapes.accountCase === 'any') return account.toLowerCase() === SPEC_ACCOUNT.toLowerCase();
    return account === (shapes.accountCase === 'exact' ? SPEC_ACCOUNT : SPEC_ACCOUNT.toLowerCase());
  }
  function isTimely(timestamp: unknown): boolean {
    const unitMs = shapes.timestampUnit === 's' ? 1_000 : 1;
    return (
      Number.isInteger(timestamp) && Math.abs(Number(timestamp) * unitMs - Date.now()) <= WINDOW_MS
    );
  }
  function createdFrom({ payload }: Fields): Answer {
    const mistake = mistakeIn(payload);
    if (shapes.refusesCreates) return refused(422, 'NO_FUNDS');
    if (mistake !== null) return refused(400, mistake);
    const known = payouts.find(
      (each) => each.payload['idempotencyKey'] === (payload as Fields)['idempotencyKey'],
    );
    const id = randomUUID();
    const made = { id, account: SPEC_ACCOUNT, payload: payload as Fields, createdMs: Date.now() };
    if (known === undefined) payouts.push(made);
    return [200, recordOf(known ?? made)];
  }
  function readFrom(body: Fields): Answer {
    const asked = askedIn(body, shapes.massGetAccepts);
    if (asked === null) return refused(400, 'REFERENCE');
    const found = payouts.find(
      ({ id, payload }) =>
        id === asked['id'] || payload['idempotencyKey'] === asked['idempotencyKey'],
    );
    return found === undefined ? refused(404, 'NO_MASS_PAYOUT') : [200, recordOf(found)];
  }
  function answerTo(path: string, body: Fields): Answer {
    const isMass = path.startsWith('/api/v1/payout/mass');
    const isWithout = isMass && !shapes.massHasAccount;
    if (isWithout ? body['account'] !== undefined : !isOwn(body['account'])) {
      return refused(403, 'ACCOUNT');
    }
    if (path === '/api/v1/payout/mass/create') return createdFrom(body);
    if (path === '/api/v1/payout/mass') return readFrom(body);
    const balances = [{ currency: 'USDT_TRC20', amount: 12.5 }];
    return [200, { account: SPEC_ACCOUNT, name: 'Main', ownerId: randomUUID(), balances }];
  }
  const PATHS = ['/api/v1/account', '/api/v1/payout/mass', '/api/v1/payout/mass/create'];
  function answer(path: string, body: string, headers: IncomingHttpHeaders): Answer {
    if (!PATHS.includes(path)) return refused(404, 'NO_PATH');
    if (!isRight(body, headers)) return refused(401, 'HEADERS');
    try {
      const fields = JSON.parse(body);
      return isTimely(fields.timestamp) ? answerTo(path, fields) : refused(400, 'TIMESTAMP');
    } catch {
      return refused(400, 'JSON');
    }
  }

  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const [status, json] = answer(request.url ?? '', body, request.headers);
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(json));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The options of the suite that give it access to such a server. */
export function accessTo(baseUrl: string): string[] {
  const secretFile = join(temporaryFolder(), 'secret');
  writeFileSync(secretFile, SPEC_SECRET, { mode: 0o600 });
  const account = ['--key', SPEC_KEY, '--account', SPEC_ACCOUNT];
  return ['--base-url', baseUrl, ...account, '--secret-file', secretFile];
}

/** Pays a file by HTTP, and learns its end by a signed webhook. `node build/pay-over-http.js FILE BATCH` */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import createClient from 'openapi-fetch';
import { Webhook } from 'standardwebhooks';
import type { components, paths } from './bursar-api.js'; // made by: npm run generate

const { BURSAR_SERVER, BURSAR_TOKEN, BURSAR_WEBHOOK_SECRET = '', PORT } = process.env;
const [path = 'payroll.csv', id = 'payroll-2026-11'] = process.argv.slice(2);
const ENDS = ['completed', 'partial', 'failed', 'canceled', 'refused', 'rejected'];

type Notification = { type: string; data: { batchId?: string; [field: string]: unknown } };

/** The notification of a webhook. Throws when Bursar did not sign it, or when it is old. */
async function readNotification(request: IncomingMessage): Promise<Notification> {
  const headers = request.headers as Record<string, string>;
  return new Webhook(BURSAR_WEBHOOK_SECRET).verify(await text(request), headers) as Notification;
}

/** Listens before the batch starts, so that no end is missed. */
const ended = new Promise<Notification>((resolve) => {
  const server = createServer((request, response) => {
    readNotification(request).then(
      (told) => {
        response.writeHead(204).end();
        const isEnd = ENDS.some((end) => told.type === `batch.${end}`);
        if (!isEnd || told.data.batchId !== id) return;
        server.close();
        resolve(told);
      },
      () => response.writeHead(401).end(),
    );
  }).listen(Number(PORT), '127.0.0.1');
});

type Answer<Data> = { data?: Data; error?: components['schemas']['Problem'] };

function need<Data>({ data, error }: Answer<Data>): Data {
  if (data === undefined) throw new Error(`${error?.code}: ${error?.what} ${error?.fix}`);
  return data;
}

const headers = { authorization: `Bearer ${BURSAR_TOKEN}` };
const bursar = createClient<paths>({ baseUrl: BURSAR_SERVER, headers });
const uploaded = await bursar.PUT('/v1/files', {
  params: { query: { name: basename(path) } },
  headers: { 'content-type': 'text/csv' },
  body: readFileSync(path, 'utf8'),
  bodySerializer: (bytes) => bytes,
});
const file = need(uploaded);
const plan = need(await bursar.POST('/v1/plans', { body: { file, choices: { id } } }));
const { batchId, choices, digest, parts, findings, currencies, refused, problems } = plan;
if (digest === null || parts === null) {
  throw new Error([...problems, ...refused].map(({ what, fix }) => `${what} ${fix}`).join('\n'));
}
const confirm = currencies.map(({ currency, total }) => ({ currency, total }));
const submit = { file, plan: { batchId, choices, digest, parts, findings }, confirm };
need(await bursar.POST('/v1/batches', { body: submit })); // may be repeated: an id is paid once
console.log(`${batchId} is submitted`);
const { type, data } = await ended;
console.log(`${type} ${JSON.stringify(data)}`);
if (type !== 'batch.completed') process.exitCode = 1;

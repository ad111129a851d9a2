import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { templateCsv, templateWorkbook } from '../operations/file/template.ts';

/** The page, and the files that it names. Besides them only the example files are served. */
const FILES = {
  '/': { name: 'index.html', type: 'text/html; charset=utf-8' },
  '/web.js': { name: 'web.js', type: 'text/javascript; charset=utf-8' },
  '/web.css': { name: 'web.css', type: 'text/css; charset=utf-8' },
} as const;

/** Allows files and calls of this server alone. No text of the page can become markup or a script (trusted types). */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

type WebFile = Readonly<{ type: string; body: Buffer; etag: string }>;

/** GET /: the web app. Its files need no session; everything that they show does. `folder`: where the build has them. */
export function serveWebApp(server: FastifyInstance, folder: string): void {
  let files: ReadonlyMap<string, WebFile> | undefined;
  const answer = ({ routeOptions, headers }: FastifyRequest, reply: FastifyReply): FastifyReply => {
    files ??= readFiles(folder);
    const file = files?.get(routeOptions.url ?? '');
    if (file === undefined) return reply.code(503).type('text/plain; charset=utf-8').send(MISSING);
    reply.headers(HEADERS).header('etag', file.etag).type(file.type);
    return headers['if-none-match'] === file.etag ? reply.code(304).send() : reply.send(file.body);
  };
  for (const url of Object.keys(FILES))
    server.get(url, async (request, reply) => answer(request, reply));
  for (const [url, { type, body }] of Object.entries(EXAMPLES)) {
    server.get(url, async (_request, reply) => {
      const name = url.slice(1);
      reply.headers(HEADERS).header('content-disposition', `attachment; filename="${name}"`);
      return reply.type(type).send(await body());
    });
  }
}

/** The files that `bursar template` makes, to fill in. */
const EXAMPLES = {
  '/example.csv': { type: 'text/csv; charset=utf-8', body: templateCsv },
  '/example.xlsx': {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    body: templateWorkbook,
  },
} as const;

const MISSING = 'The web app is not built. Run "npm run build", and load this page again.\n';

/** Reads all files; undefined when one of them is missing. */
function readFiles(folder: string): ReadonlyMap<string, WebFile> | undefined {
  const places = Object.entries(FILES);
  if (!places.every(([, { name }]) => existsSync(join(folder, name)))) return undefined;
  return new Map(
    places.map(([url, { name, type }]) => {
      const body = readFileSync(join(folder, name));
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
      return [url, { type, body, etag }] as const;
    }),
  );
}

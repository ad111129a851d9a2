/**
 * The least that Fastify can do for a signed request: it checks the signature and gives the same answer to everybody,
 * `node bare-server.js ANSWER`. Its address stands in its first line.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseArgs } from 'node:util';
import Fastify from 'fastify';
import { KNOWN_ENDPOINTS } from '@bursar/merchant-api/spec';
import { SECRET } from './access.ts';
import { BARE_READY_LINE } from './names.ts';

const [answer = ''] = parseArgs({ allowPositionals: true }).positionals;

function isSigned(body: Buffer, sign: string): boolean {
  const expected = createHmac('sha512', SECRET).update(body).digest('hex');
  const [left, right] = [Buffer.from(sign), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

const app = Fastify();
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
app.post(KNOWN_ENDPOINTS.ACCOUNT, (request, reply) => {
  const isGood = isSigned(request.body as Buffer, String(request.headers['sign']));
  return reply
    .code(isGood ? 200 : 401)
    .type('application/json')
    .send(isGood ? answer : '{}');
});
process.once('SIGTERM', () => void app.close());
const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${BARE_READY_LINE}${url}\n`);

import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { ACCOUNT, json, sign } from './support/client.ts';
import { createPayload, ledger, row } from './support/payouts.ts';
import { type Started, startSandbox } from './support/start.ts';

type Header = readonly [name: string, value: string];

const bodyAt = ({ clock }: Started, fields = {}): string =>
  json({ timestamp: String(clock.nowMs()), account: JSON.stringify(ACCOUNT), ...fields });

const signed = (body: string): Header[] => [
  ['Host', 'a'],
  ['Key', 'sandbox-key'],
  ['Sign', sign(body)],
  ['Content-Type', 'application/json'],
];

const headOf = (headers: readonly Header[], path = '/api/v1/account'): string =>
  `POST ${path} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;

const whole = (headers: readonly Header[], body: string): string =>
  headOf([...headers, ['Content-Length', String(Buffer.byteLength(body))]]) + body;

type Answer = Readonly<{ status: number; body: string }>;

/** Sends bytes over one connection and reads so many answers. */
function exchange({ url }: Started, bytes: string, count = 1): Promise<Answer[]> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => void socket.write(bytes));
    socket.on('error', reject);
    socket.on('close', () => resolve(answersIn(text)));
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (answersIn(text).length >= count) socket.destroy();
    });
  });
}

function answersIn(text: string): Answer[] {
  const answers: Answer[] = [];
  for (let rest = text; rest.includes('\r\n\r\n'); ) {
    const [head = ''] = rest.split('\r\n\r\n', 1);
    const lengthBytes = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const start = head.length + 4;
    if (rest.length < start + lengthBytes) break;
    const status = Number(head.slice('HTTP/1.1 '.length).slice(0, 3));
    answers.push({ status, body: rest.slice(start, start + lengthBytes) });
    rest = rest.slice(start + lengthBytes);
  }
  return answers;
}

const codeOf = (answer: Answer | undefined): string => {
  const { errorCode } = JSON.parse(answer?.body ?? '') as { errorCode?: string };
  return `${answer?.status} ${errorCode ?? ''}`.trim();
};

describe('a header that is sent twice', () => {
  it.each([
    ['Key', '401 KEY_UNKNOWN'],
    ['Sign', '401 SIGNATURE_INVALID'],
    ['Content-Type', '415 CONTENT_TYPE_INVALID'],
  ])('refuses the request: %s', async (name, expected) => {
    const sandbox = await startSandbox();
    const body = bodyAt(sandbox);
    const headers = signed(body);
    const twice = headers.filter(([each]) => each === name);
    const [answer] = await exchange(sandbox, whole([...headers, ...twice], body));
    expect(codeOf(answer)).toBe(expected);
  });

  it('is as good as two pairs when it is the one of modes', async () => {
    const sandbox = await startSandbox();
    const body = bodyAt(sandbox);
    const modes: Header[] = [
      ['Sandbox-Modes', 'numbers=exponent'],
      ['Sandbox-Modes', 'numbers=plain'],
    ];
    const [answer] = await exchange(sandbox, whole([...signed(body), ...modes], body));
    expect(codeOf(answer)).toBe('400 MODES_INVALID');
  });
});

it('a header Expect that Node does not know changes nothing', async () => {
  const sandbox = await startSandbox();
  const body = bodyAt(sandbox);
  const [answer] = await exchange(sandbox, whole([...signed(body), ['Expect', 'more']], body));
  expect(answer?.status).toBe(200);
  expect(JSON.parse(answer?.body ?? '')).toMatchObject({ account: ACCOUNT });
});

describe('the body', () => {
  it.each(['gzip', 'br', 'deflate', 'identity, gzip'])('is refused as %s', async (encoding) => {
    const sandbox = await startSandbox();
    const body = bodyAt(sandbox);
    const headers: Header[] = [...signed(body), ['Content-Encoding', encoding]];
    expect(codeOf((await exchange(sandbox, whole(headers, body)))[0])).toBe(
      '415 CONTENT_TYPE_INVALID',
    );
  });

  it('may come in chunks', async () => {
    const sandbox = await startSandbox();
    const body = bodyAt(sandbox);
    const chunks = [body.slice(0, 5), body.slice(5)].map(
      (part) => `${part.length.toString(16)}\r\n${part}\r\n`,
    );
    const head = headOf([...signed(body), ['Transfer-Encoding', 'chunked']]);
    const [answer] = await exchange(sandbox, `${head}${chunks.join('')}0\r\n\r\n`);
    expect(answer?.status).toBe(200);
  });

  it.each([
    ['a length and chunks', [['Content-Length', '2']] as Header[]],
    ['two lengths', [['Content-Length', '2']] as Header[]],
  ])('is refused when two headers define its end: %s', async (name, extra) => {
    const sandbox = await startSandbox();
    const other: Header =
      name === 'two lengths' ? ['Content-Length', '3'] : ['Transfer-Encoding', 'chunked'];
    const bytes = `${headOf([...signed('{}'), ...extra, other])}2\r\n{}\r\n0\r\n\r\n`;
    expect(codeOf((await exchange(sandbox, bytes))[0])).toBe('400 REQUEST_MALFORMED');
  });

  it('is refused beyond 64 MiB', async () => {
    const sandbox = await startSandbox();
    const head = headOf([...signed(''), ['Content-Length', String(64 * 1024 * 1024 + 1)]]);
    expect(codeOf((await exchange(sandbox, head))[0])).toBe('413 BODY_TOO_LARGE');
  });

  it('is read to its end beyond the limit, and the connection serves the next request', async () => {
    const sandbox = await startSandbox({ settings: { BODY_BYTES_MAX: '1000' } });
    const [large, good] = [' '.repeat(20_000_000), bodyAt(sandbox)];
    const bytes = whole(signed(large), large) + whole(signed(good), good);
    const answers = await exchange(sandbox, bytes, 2);
    expect(answers.map(({ status }) => status)).toEqual([413, 200]);
  });

  it.each([
    ['a byte order mark', '\ufeff', ''],
    ['something after its end', '', '{}'],
  ])('is refused with %s', async (_name, before, after) => {
    const sandbox = await startSandbox();
    const body = before + bodyAt(sandbox) + after;
    const [answer] = await exchange(sandbox, whole(signed(body), body));
    expect(codeOf(answer)).toBe('400 JSON_INVALID');
  });
});

describe('requests that do not wait for answers', () => {
  it('are answered one after another', async () => {
    const sandbox = await startSandbox();
    const good = bodyAt(sandbox);
    const bytes = whole(signed(good), good) + whole(signed('x'), good) + whole(signed(good), good);
    const answers = await exchange(sandbox, bytes, 3);
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 200]);
  });

  it('make one payout when they are the same create', async () => {
    const sandbox = await startSandbox();
    const body = bodyAt(sandbox, { payload: createPayload([row('1')]) });
    const length: Header = ['Content-Length', String(body.length)];
    const one = headOf([...signed(body), length], '/api/v1/payout/mass/create') + body;
    const answers = await exchange(sandbox, one.repeat(5), 5);
    const ids = answers.map((answer) => (JSON.parse(answer.body) as { id: string }).id);
    expect([ids.length, new Set(ids).size]).toEqual([5, 1]);
    expect((await ledger(sandbox.client)).entries).toHaveLength(2);
  });
});

import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formsOf, redact } from '../../src/operations/support/redact.ts';
import type { Store } from '../../src/store/index.ts';
import { approvalBy } from '../support/approvers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type FakeWorld, fakeWorld } from './support/fake-world.ts';
import { GOOD, withFiles } from './support/files.ts';
import { keyOf, playPlan, playSettle } from './support/play.ts';

const ADDRESS = 'TWGd9ia8Q5mkXwLfvGK2YWHkMu2FPmt1DK';
const API_SECRET = 'canary-of-the-service/4711+ü';
const NOTIFY_KEY = Buffer.alloc(32, 7);
const BRIDGE_TOKEN = 'canary_of_the_bridge_0123456789abcdef';
const ENV_SECRET = 'canary-of-the-environment';
const WEBHOOK_SECRET = 'canary-of-the-subscription';
const CODEC_TOKEN = 'canary_of_the_codec_server_0123456789';
const TEMPORAL_KEY = 'canary-of-the-temporal-profile';
const RING_KEY = Buffer.alloc(32, 11);

/** Whatever could be repeated by a service, a person or a file: each secret in each form, and an address. */
const SECRETS = [
  ...[API_SECRET, NOTIFY_KEY, BRIDGE_TOKEN, ENV_SECRET],
  ...[WEBHOOK_SECRET, CODEC_TOKEN, RING_KEY, TEMPORAL_KEY],
];
const TATTLE = SECRETS.flatMap(formsOf).concat(ADDRESS).join(' ');

/** A batch of which the text of a stranger says everything that it must not. */
async function tattling(): Promise<FakeWorld> {
  const cwd = withFiles(temporaryFolder(), { 'good.csv': GOOD });
  const file = (name: string, text: string): string => {
    writeFileSync(join(cwd, name), text);
    chmodSync(join(cwd, name), 0o600);
    return join(cwd, name);
  };
  file(
    'bursar.toml',
    [
      '[[notify.targets]]',
      'name = "pay"',
      'url = "https://hooks.example/canary-of-a-path"',
      `secret_file = "${file('notify', `whsec_${NOTIFY_KEY.toString('base64')}\n`)}"`,
    ].join('\n'),
  );
  file('webhook-secret', `${WEBHOOK_SECRET}\n`);
  const env = {
    BURSAR_API_SECRET_FILE: file('secret', `${API_SECRET}\n`),
    BURSAR_BRIDGE_TOKEN_FILE: file('token', `${BRIDGE_TOKEN}\n`),
    TEMPORAL_CONFIG_FILE: file('temporal.toml', `[profile.default]\napi_key = "${TEMPORAL_KEY}"\n`),
    BURSAR_CODEC_TOKEN_FILE: file('codec', `${CODEC_TOKEN}\n`),
    BURSAR_TEMPORAL_KEY_RING_FILE: file('ring', `k1 ${RING_KEY.toString('base64')}\n`),
    SOME_PASSWORD: ENV_SECRET,
  };
  const made = fakeWorld({ cwd, env });
  await made.run(
    ...['submit', 'good.csv', '--id', 'payroll', '--yes', '--detach', '--no-preflight'],
  );
  const [input] = made.engine.started;
  if (input === undefined) throw new Error('nothing was started');
  const store = await made.store();
  await playPlan(store, input, join(cwd, 'good.csv'));
  await store.approvals.add(approvalBy('bob', { batchId: 'payroll', reason: TATTLE }), 1);
  await failRow(store);
  await store.close();
  return made;
}

const failRow = (store: Store): Promise<void> =>
  playSettle(store, 'payroll', {
    outcome: 'PAID',
    rows: [
      {
        row: 3,
        chunk: 0,
        outcome: 'FAILED',
        reason: `refused: ${TATTLE}`,
        amount: '20',
        withdrawalId: 'w-1',
        transactionHash: '0xabc',
      },
    ],
  });

describe('bursar support-bundle', () => {
  it('holds no secret in any form, no signature and no address, even when the service repeats them', async () => {
    const { run } = await tattling();
    const { code, out, err } = await run('support-bundle', 'payroll');
    expect(code).toBe(0);
    const forms = [...SECRETS.flatMap(formsOf), 'canary-of-a-path'];
    expect(forms.filter((form) => out.includes(form) || err.includes(form))).toEqual([]);
    expect(out).not.toContain(approvalBy('bob', { batchId: 'payroll', reason: TATTLE }).signature);
    expect(out).not.toContain(ADDRESS);
    expect(err).toContain('Read it before you send it.');
  });

  it('holds the facts that a helper needs', async () => {
    const { run } = await tattling();
    const { out } = await run('support-bundle', 'payroll');
    expect(JSON.parse(out)).toMatchObject({
      schema: 'bursar.support-bundle/v1',
      versions: { bursar: '9.9.9' },
      settings: { api: { resend: 'auto' } },
      batch: { batchId: 'payroll', state: expect.any(String) },
      chunks: [
        {
          idempotencyKey: keyOf('payroll', 0),
          attempts: [{ n: 1, outcome: 'ACCEPTED', traceId: 'trace-1' }],
        },
      ],
      rows: { isWhole: true, listed: [{ row: 3, reason: expect.stringContaining('refused') }] },
      approvals: [{ person: 'bob', decision: 'approve' }],
      audit: [expect.objectContaining({ action: 'approve' }), expect.anything()],
    });
  });

  it('shows addresses on demand, and still no secret', async () => {
    const { run } = await tattling();
    const { out, err } = await run('support-bundle', 'payroll', '--with-addresses');
    expect(out).toContain(ADDRESS);
    expect(out).toContain('"amount": "20"');
    expect(out).not.toContain(ENV_SECRET);
    expect(err).not.toContain('no addresses');
  });

  it('is not made where a secret that must be kept out cannot be read', async () => {
    const { run, world } = await tattling();
    chmodSync(join(world.cwd, 'secret'), 0o644);
    const { code, out, err } = await run('support-bundle', 'payroll');
    expect([code === 0, out]).toEqual([false, '']);
    expect(err).toContain('SECRET_FILE_OPEN');
  });

  it('of an unknown batch is an error', async () => {
    const { run } = await tattling();
    expect((await run('support-bundle', 'nobody')).err).toContain('BATCH_NOT_FOUND');
  });
});

describe('redaction', () => {
  it('leaves no form of a secret anywhere, and its result is still JSON', () => {
    const secret = fc.string({ unit: 'grapheme', minLength: 8, maxLength: 40 });
    fc.assert(
      fc.property(secret, fc.string(), fc.nat(8), (text, around, which) => {
        const forms = formsOf(text);
        const form = forms[which % forms.length] ?? text;
        const value = { [form]: [`${around}${form}${around}`], digest: form };
        const redaction = { secrets: [text], addresses: which % 2 === 0 };
        const left = JSON.stringify(redact(value, redaction));
        return !forms.some((one) => left.includes(one)) && JSON.parse(left) !== null;
      }),
    );
  });

  it.each([
    ADDRESS,
    '0xdEADbeEF00000000000000000000000000000001',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    'EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2',
  ])('hides %s in a sentence, and shows it on request', (address) => {
    const told = { reason: `sent to ${address}.` };
    expect(redact(told, { secrets: [], addresses: false })).toEqual({
      reason: 'sent to [hidden].',
    });
    expect(redact(told, { secrets: [], addresses: true })).toEqual(told);
  });

  it('leaves ids, codes and plain words as they are', () => {
    const told = {
      digest: `sha256:${'a'.repeat(64)}`,
      idempotencyKey: 'k'.repeat(40),
      reason:
        'mass payout 4de6f33e-73ad-40ef-8be0-6fc59c078cec: INSUFFICIENT_BALANCE_OF_THE_ACCOUNT',
    };
    expect(redact(told, { secrets: [], addresses: false })).toEqual(told);
  });
});

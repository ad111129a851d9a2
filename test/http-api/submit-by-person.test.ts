import { afterEach, describe, expect, it } from '@jest/globals';
import { type ApprovalStatement, statementText } from '../../src/domain/approval/statement.ts';
import { approvedByPasskey, ORIGIN, passkeyOf, signedByPasskey } from '../support/passkeys.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { GOOD } from '../cli/support/files.ts';
import { fakeWorld } from '../cli/support/fake-world.ts';
import { apiOf } from './support/api.ts';
import { send, signIn } from './support/web.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const PEOPLE = ['alice', 'bob', 'carol'].map((name) => ({
  name,
  publicKey: passkeyOf(name),
  roles: ['finance'],
  users: [],
  webRole: 'submit' as const,
  oidc: null,
}));

const TIERS = [{ above: '0', approvals: 1, roles: ['finance'] }];

/** alice is signed in, and has uploaded and planned a file. */
async function planned(approval: Readonly<{ tiers?: readonly object[]; mode?: string }>) {
  const { tiers = [], mode = 'signed' } = approval;
  const world = fakeWorld({
    cwd: temporaryFolder(),
    env: {
      BURSAR_APPROVAL_MODE: mode,
      BURSAR_APPROVAL_TIERS: JSON.stringify(tiers),
      BURSAR_APPROVAL_PEOPLE: JSON.stringify(
        PEOPLE.map(({ name, publicKey, roles }) => ({ name, public_key: publicKey, roles })),
      ),
    },
  });
  const api = await apiOf(world, { people: PEOPLE, origin: ORIGIN });
  closers.push(api.close);
  const headers = await signIn(api, 'alice');
  const upload = await api.server.inject({
    method: 'PUT',
    url: '/v1/files?name=good.csv',
    headers: { ...headers, origin: ORIGIN, 'content-type': 'text/csv' },
    payload: GOOD,
  });
  const { sha256, name } = upload.json<{ sha256: string; name: string }>();
  const file = { sha256, name };
  const place = 'POST /v1/plans';
  const { value: plan } = await send(api, place, { body: { file, choices: { id: 'x' } }, headers });
  const currencies = plan['currencies'] as { currency: string; total: string }[];
  const confirm = currencies.map(({ currency, total }) => ({ currency, total }));
  const statement: ApprovalStatement = {
    ...(plan['submission'] as { batchId: string; subject: string }),
    decision: 'submit',
    person: 'alice',
    reason: '',
    issuedAt: '2026-11-21T09:00:00.000Z',
    expiresAt: '2026-11-22T09:00:00.000Z',
  };
  const submit = (submission?: object) =>
    send(api, 'POST /v1/batches', {
      body: { file, plan, confirm, ...(submission && { submission }) },
      headers,
    });
  return { world, statement, submit };
}

describe('a person who submits in the web app', () => {
  it('signs the submit with the passkey where the policy counts signatures', async () => {
    const { world, statement, submit } = await planned({ tiers: TIERS });
    const submission = approvedByPasskey(statement);
    const { status, value } = await submit(submission);
    expect([status, value]).toMatchObject([200, { batchId: 'x', outcome: 'started' }]);
    expect(world.engine.started).toMatchObject([{ submittedBy: 'alice', submission }]);
  });

  it('starts nothing without a signature there', async () => {
    const { world, submit } = await planned({ tiers: TIERS });
    expect((await submit()).code).toBe('SUBMIT_UNSIGNED');
    expect(world.engine.started).toEqual([]);
  });

  it('submits in the name of the session where no policy asks for more', async () => {
    const { world, submit } = await planned({});
    expect((await submit()).status).toBe(200);
    expect(world.engine.started).toMatchObject([{ submittedBy: 'alice' }]);
  });

  const OTHER_NAMES: readonly [
    what: string,
    make: (one: ApprovalStatement) => object,
    code: string,
  ][] = [
    [
      'without a signature',
      (one) => ({ ...one, person: 'bob', signature: null }),
      'APPROVAL_UNSIGNED',
    ],
    [
      'with the signature of another person',
      (one) => ({
        ...one,
        person: 'bob',
        signature: signedByPasskey('alice', statementText({ ...one, person: 'bob' })),
      }),
      'APPROVAL_FORGED',
    ],
    [
      'that the settings lack',
      (one) => ({ ...approvedByPasskey(one), person: 'mallory' }),
      'APPROVER_UNKNOWN',
    ],
    [
      'who signed another batch',
      (one) => approvedByPasskey({ ...one, person: 'bob', batchId: 'y' }),
      'APPROVAL_FOR_ANOTHER',
    ],
    [
      'whose signature has expired',
      (one) =>
        approvedByPasskey({
          ...one,
          issuedAt: '2026-11-19T09:00:00.000Z',
          expiresAt: '2026-11-20T09:00:00.000Z',
        }),
      'APPROVAL_EXPIRED',
    ],
    [
      'who signed another decision',
      (one) => approvedByPasskey({ ...one, person: 'bob', decision: 'approve' }),
      'APPROVAL_FOR_ANOTHER',
    ],
  ];

  it.each(
    OTHER_NAMES.flatMap(([what, make, code]) =>
      [{}, { tiers: TIERS }, { tiers: TIERS, mode: 'unsigned' }].map(
        (approval) => [what, approval, make, code] as const,
      ),
    ),
  )('never submits in the name of somebody %s (%j)', async (_what, approval, make, code) => {
    const { world, statement, submit } = await planned(approval);
    const answer = await submit(make(statement));
    expect([answer.code, world.engine.started]).toEqual([code, []]);
  });
});

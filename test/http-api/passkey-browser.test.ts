import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, CDPSession, Page } from 'playwright-core';
import {
  challengeOf,
  passkeyOfSpki,
  passkeySignature,
  readPasskeySignature,
} from '../../src/domain/approval/passkey.ts';
import { isSignedBy } from '../../src/domain/approval/signature.ts';
import { signInText } from '../../src/domain/approval/sign-in.ts';
import { type ApprovalStatement, statementText } from '../../src/domain/approval/statement.ts';
import { worldThatWaits } from '../cli/support/approvals.ts';
import { person, policyOf } from '../support/approvers.ts';
import { describeInBrowser, launchBrowser } from '../support/browser.ts';
import { othersAccept } from '../support/second-opinion.ts';
import { type Api, apiOf } from './support/api.ts';

const RP_ID = 'localhost';
const ALGORITHMS = { ES256: -7, EdDSA: -8 } as const;
type Algorithm = keyof typeof ALGORITHMS;

let browser: Browser;
const open: Api[] = [];

/** A page with Chromium's own authenticator, which identifies its person without a question. */
async function pageWithAuthenticator(): Promise<{ page: Page; cdp: CDPSession; id: string }> {
  const page = await (await browser.newContext()).newPage();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId: id } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { page, cdp, id };
}

/** Opens a page of the server, under the name that passkeys of this machine have. */
async function visit(page: Page, api: Api): Promise<string> {
  const url = await api.server.listen({ host: '127.0.0.1', port: 0 });
  const origin = `http://localhost:${new URL(url).port}`;
  await page.goto(`${origin}/v1/openapi.json`);
  return origin;
}

const IN_PAGE = `
  const bytes = (buffer) => [...new Uint8Array(buffer)];
  const callPasskey = (kind, publicKey) => navigator.credentials[kind]({ publicKey });
`;

const run = <Result>(page: Page, script: string): Promise<Result> =>
  page.evaluate<Result>(`(async () => { ${IN_PAGE} ${script} })()`);

/** Makes the passkey of bob in the page, as the web app does. */
async function enrol(page: Page, algorithm: Algorithm): Promise<string> {
  const user = [...Buffer.from('bob')];
  const spki = await run<number[]>(
    page,
    `const made = await callPasskey('create', {
       rp: { id: '${RP_ID}', name: 'Bursar' },
       user: { id: new Uint8Array(${JSON.stringify(user)}), name: 'bob', displayName: 'bob' },
       challenge: crypto.getRandomValues(new Uint8Array(32)),
       pubKeyCredParams: [{ type: 'public-key', alg: ${ALGORITHMS[algorithm]} }],
       attestation: 'none',
       authenticatorSelection: {
         residentKey: 'required', requireResidentKey: true, userVerification: 'required',
       },
     });
     return bytes(made.response.getPublicKey());`,
  );
  return passkeyOfSpki(RP_ID, Uint8Array.from(spki)) ?? 'no passkey';
}

/** Has a text signed in the page. */
async function signIn(page: Page, text: string, verification = 'required') {
  type Parts = Record<'authenticatorData' | 'clientDataJSON' | 'signature' | 'user', number[]>;
  const { user, ...parts } = await run<Parts>(
    page,
    `const { response } = await callPasskey('get', {
       challenge: new Uint8Array(${JSON.stringify([...challengeOf(text)])}),
       rpId: '${RP_ID}',
       userVerification: '${verification}',
     });
     return {
       authenticatorData: bytes(response.authenticatorData),
       clientDataJSON: bytes(response.clientDataJSON),
       signature: bytes(response.signature),
       user: bytes(response.userHandle),
     };`,
  );
  const signature = passkeySignature({
    authenticatorData: Uint8Array.from(parts.authenticatorData),
    clientDataJSON: Uint8Array.from(parts.clientDataJSON),
    signature: Uint8Array.from(parts.signature),
  });
  return { person: Buffer.from(user).toString(), signature };
}

const call = (page: Page, place: string, body?: object) => {
  const [method = '', path = ''] = place.split(' ');
  const init = {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  };
  return run<{ status: number; value: Record<string, unknown> }>(
    page,
    `const answer = await fetch('${path}', ${JSON.stringify(init)});
     const text = await answer.text();
     return { status: answer.status, value: text === '' ? {} : JSON.parse(text) };`,
  );
};

describeInBrowser('a passkey of a real browser', () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => {
    for (const api of open) await api.close();
    await browser?.close();
  });

  async function served(
    ...args: Parameters<typeof worldThatWaits>
  ): Promise<(options: Parameters<typeof apiOf>[1]) => Promise<Api>> {
    const world = await worldThatWaits(...args);
    return async (options) => {
      const api = await apiOf(world, options);
      open.push(api);
      return api;
    };
  }

  it.each(['ES256', 'EdDSA'] as const)(
    'with %s signs its owner in, and approves what was shown',
    async (algorithm) => {
      const { page, cdp, id } = await pageWithAuthenticator();
      await visit(page, await (await served())({}));
      const publicKey = await enrol(page, algorithm);
      expect(publicKey).toMatch(`passkey:localhost:${algorithm}:`);

      const bob = { ...person('bob', ['finance']), publicKey };
      const policy = policyOf({ people: [person('alice'), bob, person('carol', ['finance'])] });
      const web = await (await served({ policy }))({
        people: [{ ...bob, webRole: 'read', oidc: null }],
        origin: () => origin,
      });
      const origin: string = await visit(page, web);

      const { value: asked } = await call(page, 'POST /v1/session/challenge');
      const challenge = String(asked['challenge']);
      const answer = await signIn(page, signInText({ origin, challenge }));
      expect(answer.person).toBe('bob');
      const session = await call(page, 'POST /v1/session', { challenge, ...answer });
      expect([session.status, session.value]).toMatchObject([200, { person: 'bob' }]);
      expect((await call(page, 'GET /v1/session')).value).toEqual(session.value);

      const place = 'POST /v1/batches/payroll';
      const shown = await call(page, `${place}/approval-question`, {});
      const { question } = shown.value as { question: { subject: string } };
      const statement: ApprovalStatement = {
        batchId: 'payroll',
        subject: question.subject,
        decision: 'approve',
        person: 'bob',
        reason: 'as agreed',
        issuedAt: '2026-11-21T09:00:00.000Z',
        expiresAt: '2026-11-22T09:00:00.000Z',
      };
      const text = statementText(statement);
      const { signature } = await signIn(page, text);
      const approval = { ...statement, signature };
      const other = { ...approval, reason: 'other words' };
      const forged = await call(page, `${place}/approvals`, { approval: other });
      expect(forged.value['code']).toBe('APPROVAL_FORGED');
      const decided = await call(page, `${place}/approvals`, { approval });
      expect([decided.status, decided.value]).toMatchObject([200, { signed: true }]);

      expect(isSignedBy(publicKey, text, signature)).toBe(true);
      expect(await othersAccept({ publicKey, text, signature, origin })).toBe(true);

      await cdp.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: false });
      const unidentified = await signIn(page, text, 'discouraged');
      const flags = readPasskeySignature(unidentified.signature)?.authenticatorData[32] ?? 0;
      expect(flags & 0x05).toBe(0x01);
      expect(isSignedBy(publicKey, text, unidentified.signature)).toBe(false);

      expect((await call(page, 'DELETE /v1/session')).status).toBe(204);
      expect((await call(page, 'GET /v1/session')).value['code']).toBe('SESSION_UNKNOWN');
      await page.context().close();
    },
  );
});

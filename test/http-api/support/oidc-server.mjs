import { createServer } from 'node:http';
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { Provider } from 'oidc-provider';

const CLIENT = { clientId: 'bursar-at-work', clientSecret: 'a secret & of the client+%' };

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

export async function startOidcServer({
  redirectUri,
  login = 'client_secret_post',
  inIdToken = true,
}) {
  const server = createServer((request, response) => handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const state = {
    account: { sub: 'sub-of-bob' },
    tamper: { change: (claims) => claims, sign: true },
    tokenRequests: [],
  };
  const provider = quietly(
    () =>
      new Provider(issuer, {
        clients: [
          {
            client_id: CLIENT.clientId,
            client_secret: CLIENT.clientSecret,
            redirect_uris: [redirectUri],
            token_endpoint_auth_method: login,
            id_token_signed_response_alg: 'ES256',
          },
        ],
        clientAuthMethods: [login],
        jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one', use: 'sig' }] },
        cookies: { keys: ['a key of a test'] },
        ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
        pkce: { required: () => true },
        claims: { openid: ['sub', 'preferred_username'], email: ['email', 'email_verified'] },
        conformIdTokenClaims: !inIdToken,
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
        findAccount: (_context, accountId) => ({ accountId, claims: () => state.account }),
        async loadExistingGrant(context) {
          const { client, session } = context.oidc;
          const grant = new provider.Grant({
            clientId: client.clientId,
            accountId: session.accountId,
          });
          grant.addOIDCScope('openid email');
          await grant.save();
          return grant;
        },
      }),
  );
  provider.use(async (context, next) => {
    if (context.path.startsWith('/interaction/')) {
      await provider.interactionFinished(context.req, context.res, {
        login: { accountId: state.account.sub },
      });
      context.respond = false;
      return;
    }
    await next();
    if (context.oidc?.route !== 'token') return;
    state.tokenRequests.push({ status: context.status, body: { ...context.oidc.body } });
    if (context.status === 200) context.body.id_token = changed(context.body.id_token);
  });
  const changed = (token) => {
    const [header, payload, signature] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    const changedClaims = state.tamper.change(claims);
    if (changedClaims === claims) return token;
    const signed = `${header}.${Buffer.from(JSON.stringify(changedClaims)).toString('base64url')}`;
    return state.tamper.sign
      ? `${signed}.${sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
      : `${signed}.${signature}`;
  };
  const handle = provider.callback();
  return {
    ...CLIENT,
    issuer,
    account: state.account,
    tamper: state.tamper,
    tokenRequests: state.tokenRequests,
    visit: (url) => visit(url, issuer),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** It warns that its memory is no database. */
function quietly(make) {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return make();
  } finally {
    console.warn = warn;
  }
}

const VISITS_MAX = 10;

async function visit(start, issuer) {
  const cookies = new Map();
  let url = start;
  for (let n = 0; n < VISITS_MAX && url.startsWith(issuer); n += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set);
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`no redirect: ${answer.status} ${await answer.text()}`);
    url = new URL(location, url).href;
  }
  return url;
}

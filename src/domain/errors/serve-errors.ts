import { entry } from './entry.ts';

/** Errors of requests over HTTP, and of the tokens and sessions by which they are let in. */
export const SERVE_ERRORS = {
  TOKEN_MISSING: entry({
    category: 'auth',
    what: 'The request carries no token.',
    why: 'Only programs with a token, and people who are signed in, may read or change batches.',
    fix: 'Send "Authorization: Bearer TOKEN". A token is made with "bursar token create NAME". People sign in with a passkey.',
  }),
  TOKEN_UNKNOWN: entry({
    category: 'auth',
    what: 'The token of the request is not known, or has expired.',
    why: 'It may have been revoked.',
    fix: 'Make another one with "bursar token create NAME".',
  }),
  ROLE_TOO_LOW: entry<
    Readonly<{ kind: 'token' | 'person'; name: string; role: string; needed: string }>
  >({
    category: 'auth',
    what: (f) => `The ${f.kind} ${f.name} has the role ${f.role}, and this needs ${f.needed}.`,
    why: 'Each token and each person does only the work of its role.',
    fix: (f) =>
      f.kind === 'token'
        ? `Use a token of the role ${f.needed}: "bursar token create NAME --role ${f.needed}".`
        : `The operator of the server can set web_role = "${f.needed}" for ${f.name} in approval.people.`,
  }),
  TOKEN_APPROVES_NOTHING: entry<Readonly<{ name: string }>>({
    category: 'auth',
    what: (f) => `${f.name} cannot approve without a signature.`,
    why: 'Over HTTP an approval must be signed by the key of a person. Neither a token nor a sign-in is one.',
    fix: 'Sign the question with the key or the passkey of an approver, and send the signature.',
  }),
  SESSION_UNKNOWN: entry({
    category: 'auth',
    what: 'There is no session, or it has ended.',
    why: 'A session ends after serve.session_hours, when its person signs out, and when the server starts again.',
    fix: 'Sign in again.',
  }),
  SIGN_IN_REFUSED: entry({
    category: 'auth',
    what: 'The sign-in is refused.',
    why: 'The settings of the server have no such person with this passkey, or the passkey did not identify its owner.',
    fix: 'Use the passkey whose public key stands in approval.people. After a change of the settings the server must start again.',
  }),
  CHALLENGE_UNKNOWN: entry({
    category: 'auth',
    what: 'The challenge of the sign-in is not known, or has expired.',
    why: 'Each challenge counts once, for five minutes.',
    fix: 'Sign in again.',
  }),
  OIDC_MISSING: entry({
    category: 'usage',
    what: 'No person can sign in with OpenID Connect here.',
    why: 'The settings of the server name no provider.',
    fix: 'Sign in with a passkey, or set serve.oidc and start the server again.',
  }),
  OIDC_UNREACHABLE: entry<Readonly<{ issuer: string; reason: string }>>({
    category: 'unreachable',
    what: (f) => `The provider ${f.issuer} cannot be used (${f.reason}).`,
    why: 'A sign-in with OpenID Connect needs the provider. Passkeys work without it.',
    fix: 'Try again, or sign in with a passkey. An operator compares serve.oidc with what the provider publishes.',
  }),
  OIDC_DENIED: entry({
    category: 'auth',
    what: 'The provider has not signed you in.',
    why: 'It reported that you stopped, or that you may not use this application.',
    fix: 'Sign in again, or ask the administrator of your accounts for access.',
  }),
  OIDC_REFUSED: entry<Readonly<{ reason: string }>>({
    category: 'auth',
    what: (f) => `The sign-in is refused (${f.reason}).`,
    why: 'The answer of the provider is not valid, or this browser did not begin the sign-in within ten minutes.',
    fix: 'Sign in again, in one window and without the back button.',
  }),
  OIDC_PERSON_UNKNOWN: entry({
    category: 'auth',
    what: 'No person in the settings of the server has this account.',
    why: 'No person in approval.people has your account as oidc.',
    fix: 'The operator of the server can add it. After a change the server must start again.',
  }),
  ORIGIN_WRONG: entry<Readonly<{ origin: string }>>({
    category: 'auth',
    what: 'The request does not come from the web app.',
    why: 'A page of another address may not act for a person who is signed in.',
    fix: (f) => `Open the web app at ${f.origin}. Its address is that of serve.origin.`,
  }),
  WEB_ORIGIN_MISSING: entry({
    category: 'usage',
    what: 'No person can sign in here.',
    why: 'The server does not have the address of its web app, to which passkeys belong.',
    fix: 'Set serve.origin to that address, such as https://pay.example.com, and start the server again.',
  }),
  TOKEN_NAME_TAKEN: entry<Readonly<{ name: string }>>({
    category: 'usage',
    what: (f) => `There is a token ${f.name} already.`,
    why: 'The audit log names who acted by the name of the token.',
    fix: (f) => `Choose another name, or revoke it first: "bursar token revoke ${f.name}".`,
  }),
  TOKEN_NOT_FOUND: entry<Readonly<{ name: string }>>({
    category: 'not-found',
    what: (f) => `There is no token ${f.name}.`,
    why: 'It may have been revoked already.',
    fix: 'See all with "bursar token list".',
  }),
  TOKEN_FILE_OPEN: entry<Readonly<{ file: string; mode: string }>>({
    category: 'usage',
    what: (f) => `The token file ${f.file} can be read by others (mode ${f.mode}).`,
    why: 'Its hashes are for this program alone.',
    fix: (f) => `Run: chmod 600 ${f.file}`,
  }),
  TOKEN_FILE_UNREADABLE: entry<Readonly<{ file: string; reason: string }>>({
    category: 'usage',
    what: (f) => `The token file ${f.file} cannot be used (${f.reason}).`,
    why: 'Without it no request can be allowed.',
    fix: 'Check serve.token_file. "bursar token create NAME" makes a new file where there is none.',
  }),
  FILE_BUSY: entry<Readonly<{ file: string }>>({
    category: 'unreachable',
    what: (f) => `Another program has been changing ${f.file} for 10 seconds.`,
    why: 'Two changes at once would lose one of them. Nothing was changed.',
    fix: 'Run the command again.',
  }),
  PATH_UNKNOWN: entry<Readonly<{ method: string; path: string }>>({
    category: 'not-found',
    what: (f) => `There is nothing at ${f.method} ${f.path}.`,
    why: 'The path or the method may be mistyped.',
    fix: 'GET /v1/openapi.json describes every operation.',
  }),
  METHOD_WRONG: entry<Readonly<{ method: string; path: string; allowed: string }>>({
    category: 'not-found',
    what: (f) => `${f.path} has no method ${f.method}.`,
    why: (f) => `It has ${f.allowed}. Nothing was done.`,
    fix: 'GET /v1/openapi.json describes every operation.',
  }),
  REQUEST_INVALID: entry<Readonly<{ problems: string }>>({
    category: 'usage',
    what: (f) => `The request is not usable: ${f.problems}.`,
    why: 'It differs from what GET /v1/openapi.json describes. Nothing was done.',
    fix: 'Correct these fields, and send it again.',
  }),
  REQUEST_UNUSABLE: entry<Readonly<{ problems: string }>>({
    category: 'usage',
    what: (f) => `The request cannot be used: ${f.problems}.`,
    why: 'Its fields contradict each other or a rule. Nothing was done.',
    fix: 'Correct these fields, and send it again.',
  }),
  REQUEST_TOO_LARGE: entry<Readonly<{ bytesMax: string }>>({
    category: 'usage',
    what: (f) => `The body of the request is larger than ${f.bytesMax} bytes.`,
    why: 'A file of payments is uploaded by itself: PUT /v1/files.',
    fix: 'Send a smaller body, or upload the file.',
  }),
  REQUESTS_AT_ONCE: entry<Readonly<{ requestsMax: string }>>({
    category: 'unreachable',
    what: (f) => `This caller has ${f.requestsMax} open requests.`,
    why: 'Each open request needs a file or a connection of the server.',
    fix: 'End some of them, such as unused streams. Then try again.',
  }),
  REQUESTS_TOO_MANY: entry<Readonly<{ seconds: string }>>({
    category: 'unreachable',
    what: 'Too many requests come from this caller.',
    why: 'serve.requests_per_minute limits each token and each session. Sign-ins are limited for each address.',
    fix: (f) => `Wait ${f.seconds} seconds, as the header Retry-After states.`,
  }),
  SERVER_UNREACHABLE: entry<Readonly<{ url: string; reason: string }>>({
    category: 'unreachable',
    what: (f) => `The server at ${f.url} cannot be reached (${f.reason}).`,
    why: 'The command runs there. A batch that was started goes on.',
    fix: 'Check --server or BURSAR_SERVER, and whether "bursar serve" runs there. Then run the command again.',
  }),
  SERVER_ANSWER_ODD: entry<Readonly<{ url: string; reason: string }>>({
    category: 'unreachable',
    what: (f) => `The answer of the server at ${f.url} cannot be read: ${f.reason}.`,
    why: 'It may be another program, another version, or a proxy that cuts answers off.',
    fix: 'Check --server or BURSAR_SERVER, and compare the versions. Then run the command again.',
  }),
  SERVER_TOKEN_MISSING: entry({
    category: 'usage',
    what: 'There is no token for the server.',
    why: 'Each request to a server needs one.',
    fix: 'Set BURSAR_SERVER_TOKEN, or BURSAR_SERVER_TOKEN_FILE to a file of mode 0600. "bursar token create NAME" makes one at the server.',
  }),
  SERVER_CANNOT: entry<Readonly<{ what: string }>>({
    category: 'usage',
    what: (f) => `This command does not work with --server: it uses ${f.what} of this machine.`,
    why: 'The batches are at the server. Nothing was done.',
    fix: 'Run it on the machine of the server, without --server.',
  }),
};

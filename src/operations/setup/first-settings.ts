/** The service that a person wants to pay by. Undefined: not known yet. */
export type ServiceAnswers = Readonly<{
  url?: string;
  account?: string;
  key?: string;
  secretFile?: string;
  environment?: 'live' | 'sandbox';
}>;

/** The answers of a person who sets Bursar up. */
export type FirstAnswers = ServiceAnswers &
  Readonly<{
    /** The person at this machine, with the file of their private key. */
    person?: Readonly<{ name: string; keyFile: string; publicKey: string }>;
  }>;

/** Where the secret is expected when nobody named a file. */
export const SECRET_FILE_DEFAULT = 'bursar-secret';

/** Returns the text of a first `bursar.toml`: the answers as settings, and comments about the settings that most people want next. */
export function firstSettings(answers: FirstAnswers): string {
  const { url, account, key, secretFile = SECRET_FILE_DEFAULT, environment } = answers;
  // Without a service no secret exists yet, and a setting would name a file that is missing.
  const secret = url === undefined ? undefined : secretFile;
  return `# Settings of Bursar. Every setting: docs/settings.md. What is used here and why: bursar config show --origin

[api]
# The service that pays. Without base_url "bursar up" starts a sandbox, whose money is play money.
${setting('base_url', url, 'https://pay.example')}
# live or sandbox, as commands show it. Without it: sandbox for an address on this machine, else live.
${setting('environment', environment, 'live')}
# The account that batches are paid from.
${setting('account', account, '0x0000000000000000000000000000000000000000')}
# The public API key. Its secret stands alone in a file of mode 0600, never here.
${setting('key', key, 'KEY')}
${setting('secret_file', secret, SECRET_FILE_DEFAULT)}

[store]
# Every batch is in this database. For several machines: postgres://USER@HOST/DATABASE, with password_file.
url = "sqlite:.bursar/store.db"

[report]
dir = "runs"

# Temporal is found by TEMPORAL_ADDRESS or its own profile (temporal.toml).
[temporal]
task_queue = "bursar"
# namespace = "default"
${operatorText(answers.person)}
# Limits: a larger row or batch needs a person.
# [limits]
# row = ["5000:USDT_TRC20"]
# batch = ["200000:USDT_TRC20"]

# Who must approve. Each person makes a key with: bursar keys new NAME
# [[approval.tiers]]
# above = "1000"
# approvals = 1
# roles = ["finance"]
${peopleText(answers.person)}
# Who is notified (docs/notifications.md).
# [[notify.targets]]
# name = "finance"
# url = "https://hooks.example/bursar"
# secret_file = "hooks-secret"

# Other settings by name, chosen with --profile test or BURSAR_PROFILE.
# [profiles.test.api]
# base_url = "http://127.0.0.1:8788"
# [profiles.test.store]
# url = "sqlite:.bursar/test.db"
`;
}

/** A line that sets a text, or the same line as a comment with an example. */
const setting = (name: string, value: string | undefined, example: string): string =>
  value === undefined ? `# ${name} = ${quoted(example)}` : `${name} = ${quoted(value)}`;

/** A basic string of TOML is written as one of JSON. */
const quoted = (text: string): string => JSON.stringify(text);

const operatorText = (person: FirstAnswers['person']): string =>
  person === undefined
    ? `
# Who works at this machine, in the audit log, and with which key they sign.
# [operator]
# name = "alice"
# key_file = "bursar-alice.key"
`
    : `
# Who works at this machine, in the audit log, and with which key they sign.
[operator]
name = ${quoted(person.name)}
key_file = ${quoted(person.keyFile)}
`;

const peopleText = (person: FirstAnswers['person']): string =>
  person === undefined
    ? `# [[approval.people]]
# name = "alice"
# public_key = "ed25519:..."
# roles = ["finance"]
`
    : `[[approval.people]]
name = ${quoted(person.name)}
public_key = ${quoted(person.publicKey)}
roles = ["finance"]
`;

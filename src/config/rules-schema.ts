import { z } from 'zod';
import { ROLES } from '../domain/access/role.ts';
import { isPlainName } from '../domain/approval/people.ts';
import { isCurrency } from '../domain/currencies/currency-info.ts';
import { canonicalAmount } from '../domain/money/amount.ts';
import { readStopLossRule } from '../domain/holds/stop-loss.ts';
import { FINDINGS, isFindingCode } from '../domain/plan/finding.ts';
import type { Money } from '../domain/plan/rules.ts';
import { BUCKET_URL_RULE, filesPlaceOf } from '../domain/store/files-url.ts';
import { PathSetting } from './code-names.ts';
import { checkTargets } from './notify-checks.ts';
import {
  filePath,
  flag,
  listOf,
  oneOf,
  orNull,
  readAs,
  section,
  tablesOf,
  text,
  wholeNumber,
} from './readers.ts';

const DAY_MS = 86_400_000;

const name = readAs('a name of letters, digits, dots, dashes or underscores', (given) =>
  isPlainName(given) ? given : undefined,
);

const amount = readAs('an amount such as 1000 or 0.5', canonicalAmount);

const currency = readAs('a currency such as BTC or USDT_TRC20', (given) =>
  isCurrency(given) ? given : undefined,
);

const percent = readAs('a percentage such as 5 or 0.25', (given) =>
  /^\d{1,3}(\.\d{1,4})?$/.test(given) ? canonicalAmount(given) : undefined,
);

const money = readAs('amounts such as 1000:USDT_TRC20', readMoney);

const publicKey = readAs(
  'a key as "bursar keys new" prints it, or a passkey as the web app shows it',
  (given) =>
    /^(?:ed25519:[A-Za-z0-9+/]{43}=|passkey:[a-z0-9.-]{1,253}:(?:ES256|EdDSA):[A-Za-z0-9+/]{43}[A-Za-z0-9+/=])$/.test(
      given,
    )
      ? given
      : undefined,
);

const findingCode = readAs(`a code of a finding (${Object.keys(FINDINGS).join(', ')})`, (given) =>
  isFindingCode(given) ? given : undefined,
);

const oidcAccount = readAs('a text of 1 to 200 visible characters', (given) =>
  /^[^\s\p{C}]{1,200}$/u.test(given) ? given : undefined,
);

const tier = z.strictObject({
  currency: orNull(currency).describe(
    'The currency that the tier is for. Without it: any currency.',
  ),
  above: amount.prefault('0').describe('The tier counts for totals above this amount.'),
  approvals: wholeNumber({ min: 1, max: 20 }).describe('How many different people must approve.'),
  roles: listOf(name)
    .prefault([])
    .describe('The roles whose approvals count. Without any: those of everybody in `people`.'),
  must_include: listOf(name)
    .prefault([])
    .describe('Roles of which at least one approver each must be.'),
});

const person = z.strictObject({
  name: name.describe('The name of the person.'),
  public_key: orNull(publicKey).describe('The public key. In mode `signed` every person has one.'),
  roles: listOf(name).prefault([]).describe('The roles of the person.'),
  users: listOf(text)
    .prefault([])
    .describe('Other names of the same person, such as user names of machines.'),
  web_role: oneOf(ROLES)
    .default('read')
    .describe('What the person may do in the web app besides approving.'),
  oidc: orNull(oidcAccount).describe(
    'The value of the claim `serve.oidc.claim` that names the person at the provider. Without it the person signs in with a passkey alone.',
  ),
});

export const smtpUrl = readAs('an address such as smtps://USER@HOST:465', (given) => {
  const { protocol, hostname, pathname, search, hash } = URL.canParse(given)
    ? new URL(given)
    : new URL('none:');
  const isBare = /^\/?$/.test(pathname) && search === '' && hash === '';
  return /^smtps?:$/.test(protocol) && hostname !== '' && isBare ? given : undefined;
});

export const mailbox = readAs('an e-mail address such as finance@example.com', (given) =>
  /^[^\s@<>,;:"]+@[A-Za-z0-9.-]+$/.test(given) ? given : undefined,
);

const target = z.strictObject({
  name: name.describe('The name of the target, for messages.'),
  url: readAs('an http or https address', (given) =>
    URL.canParse(given) && /^https?:/.test(given) ? given : undefined,
  )
    .optional()
    .describe(
      'The address that receives the webhooks. A target has one of `url`, `command`, `chat` and `smtp`.',
    ),
  secret_file: filePath
    .optional()
    .describe(
      'A file with the signing secret of the `url` (`whsec_` and base64), the address of the `chat`, or the password of `smtp`.',
    ),
  command: z
    .array(z.string().min(1).meta({ rule: 'a text that is not empty' }))
    .min(1)
    .optional()
    .describe('A program and its arguments. The notification is its standard input.'),
  chat: oneOf(['slack', 'teams'])
    .optional()
    .describe('A channel of Slack or Microsoft Teams. The file has the address of its webhook.'),
  smtp: smtpUrl
    .optional()
    .describe('The server that takes e-mail. With `smtp:` it must offer STARTTLS.'),
  from: mailbox.optional().describe('The sender of e-mail.'),
  to: mailbox.optional().describe('The receiver of e-mail.'),
  events: listOf(text)
    .prefault([])
    .describe('The events that the target receives. Without any: all.'),
});

/** Sections of `bursar.toml` from which the house rules of a plan are made. */
export const RULE_SECTIONS = {
  approval: section({
    mode: oneOf(['signed', 'unsigned'])
      .default('signed')
      .describe(
        'Whether an approval needs a signature. `unsigned` proves nothing and is for development.',
      ),
    expires_after_ms: wholeNumber({ min: 1, max: 400 * DAY_MS })
      .default(3 * DAY_MS)
      .describe('How long an approval counts.'),
    tiers: tablesOf(tier)
      .prefault([])
      .describe('How many approvals a total needs. Without tiers no approval is needed.'),
    people: tablesOf(person).prefault([]).describe('The people who may approve.'),
  }),
  findings: section({
    confirm: listOf(findingCode)
      .prefault([])
      .describe('Findings that a person must accept, besides those that need it by default.'),
    block: listOf(findingCode).prefault([]).describe('Findings that stop a batch.'),
    history_days: wholeNumber({ min: 1, max: 3_650 })
      .default(25)
      .describe('For how many days back a payment counts as one that could be made twice.'),
  }),
  payees: section({
    known_above: listOf(money)
      .prefault([])
      .describe(
        'The largest amount of one row to an unknown address. Above it a person must accept the finding PAYEE_UNKNOWN.',
      ),
    paid_before: flag
      .default(true)
      .describe(
        'Whether an address that was paid in this currency before is known. `false`: only those of `bursar payees`.',
      ),
  }),
  limits: section({
    row: listOf(money).prefault([]).describe('The largest amount of one row.'),
    batch: listOf(money).prefault([]).describe('The largest total of one batch.'),
    day: listOf(money)
      .prefault([])
      .describe(
        'The largest total of all batches of the account that start to pay on one day (UTC).',
      ),
    payee: listOf(money)
      .prefault([])
      .describe('The largest total that one batch pays to one address.'),
  }),
  fees: section({
    drift_max_percent: percent
      .prefault('20')
      .describe('How far the fees at the due time may exceed the fees of the plan.'),
    share_max_percent: orNull(percent).describe('The largest fees as a share of the amount.'),
    total_max: listOf(money).prefault([]).describe('The largest fees of one batch.'),
  }),
};

/** Sections of `bursar.toml` about the person at this machine, and about periodic tasks. */
export const operatorSection = section({
  name: name
    .optional()
    .describe('The name of the person at this machine. Without it: the name of the user.'),
  key_file: filePath
    .optional()
    .describe(
      'The private key of this person. It signs submits and answers where a policy asks for that.',
    ),
});

const scheduleFolder = readAs(`a path, or ${BUCKET_URL_RULE}`, (given) => {
  const folder = given.trim();
  if (/^s3:/i.test(folder)) return filesPlaceOf(folder) === undefined ? undefined : folder;
  return folder === '' ? undefined : new PathSetting(folder);
});

export const scheduleSection = section({
  folder: scheduleFolder
    .prefault('incoming')
    .describe('The only folder, or prefix of a bucket, from which scheduled files are taken.'),
  catch_up_ms: wholeNumber({ min: 10_000, max: DAY_MS })
    .default(600_000)
    .describe('How late a run may start. After that it is missed.'),
});

export const notifySection = z
  .strictObject({
    targets: tablesOf(target).prefault([]).describe('Who receives notifications.'),
  })
  .superRefine(checkTargets)
  .prefault({});

export const watchSection = section({
  every_ms: wholeNumber({ min: 100, max: DAY_MS })
    .default(60_000)
    .describe('How often subscriptions, schedules and waiting notifications are checked.'),
});

/** The section `approval`, checked setting by setting; `approval-checks.ts` checks it as a whole. */
export type ApprovalSection = z.output<(typeof RULE_SECTIONS)['approval']>;

export const stopLossList = listOf(
  readAs('a percentage such as 5%, or amounts such as 1000:USDT_TRC20', readStopLossRule),
);

function readMoney(given: string): Money | undefined {
  const [amountText = '', currencyText = '', ...rest] = given.split(':');
  const read = canonicalAmount(amountText);
  return rest.length === 0 && read !== undefined && isCurrency(currencyText)
    ? { currency: currencyText, amount: read }
    : undefined;
}

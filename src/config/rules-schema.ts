import { z } from 'zod';
import { isPlainName } from '../domain/approval/people.ts';
import { isCurrency } from '../domain/currencies/currency-info.ts';
import { canonicalAmount } from '../domain/money/amount.ts';
import { readStopLossRule } from '../domain/holds/stop-loss.ts';
import { FINDINGS, isFindingCode } from '../domain/plan/finding.ts';
import type { Money } from '../domain/plan/rules.ts';
import { checkTargets } from './notify-checks.ts';
import { listOf, oneOf, readAs, text, wholeNumber } from './readers.ts';

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

const publicKey = readAs('ed25519: and 44 characters, as "bursar keys new" prints it', (given) =>
  /^ed25519:[A-Za-z0-9+/]{43}=$/.test(given) ? given : undefined,
);

const findingCode = readAs(`a code of a finding (${Object.keys(FINDINGS).join(', ')})`, (given) =>
  isFindingCode(given) ? given : undefined,
);

/** Tables of `bursar.toml`; in a variable, the same as a JSON list of objects. */
const tablesOf = <Value extends z.ZodType>(value: Value) =>
  z.preprocess(
    (given) => (typeof given === 'string' ? readJson(given) : given),
    z.array(value, { error: 'must be a list of tables (in a variable: as JSON)' }),
  );

const tier = z.strictObject({
  currency: currency.optional(),
  above: amount.prefault('0'),
  approvals: wholeNumber({ min: 1, max: 20 }),
  roles: listOf(name).prefault([]),
  must_include: listOf(name).prefault([]),
});

const person = z.strictObject({
  name,
  public_key: publicKey.optional(),
  roles: listOf(name).prefault([]),
  users: listOf(text).prefault([]),
});

const target = z.strictObject({
  name,
  url: readAs('an http or https address', (given) =>
    URL.canParse(given) && /^https?:/.test(given) ? given : undefined,
  ).optional(),
  /** File with the signing secret of a url: `whsec_` and base64. */
  secret_file: text.optional(),
  /** A program and its arguments; the notification comes on its standard input. */
  command: z.array(z.string().min(1)).min(1).optional(),
  events: listOf(text).prefault([]),
});

/** Sections of `bursar.toml` that say what people want, not where things are. */
export const RULE_SECTIONS = {
  operator: z.strictObject({
    name: name.optional(),
    /** The private key of the person at this machine: it signs submits and answers where a policy asks for that. */
    key_file: text.optional(),
  }),
  approval: z.strictObject({
    mode: oneOf(['signed', 'unsigned']).default('signed'),
    expires_after_ms: wholeNumber({ min: 1, max: 400 * DAY_MS }).default(3 * DAY_MS),
    tiers: tablesOf(tier).prefault([]),
    people: tablesOf(person).prefault([]),
  }),
  findings: z.strictObject({
    confirm: listOf(findingCode).prefault([]),
    block: listOf(findingCode).prefault([]),
    history_days: wholeNumber({ min: 1, max: 3_650 }).default(25),
  }),
  limits: z.strictObject({
    row: listOf(money).prefault([]),
    batch: listOf(money).prefault([]),
    day: listOf(money).prefault([]),
    payee: listOf(money).prefault([]),
  }),
  fees: z.strictObject({
    drift_max_percent: percent.prefault('20'),
    share_max_percent: percent.optional(),
    total_max: listOf(money).prefault([]),
  }),
  schedule: z.strictObject({
    /** The only folder from which scheduled files are taken. */
    folder: text.default('incoming'),
    catch_up_ms: wholeNumber({ min: 10_000, max: DAY_MS }).default(600_000),
  }),
  notify: z.strictObject({ targets: tablesOf(target).prefault([]) }).superRefine(checkTargets),
  watch: z.strictObject({
    /** How often subscriptions, schedules and notifications that wait are looked after. */
    every_ms: wholeNumber({ min: 100, max: DAY_MS }).default(60_000),
  }),
};

/** The section `approval`, checked setting by setting; `approval-checks.ts` looks at it as a whole. */
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

function readJson(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

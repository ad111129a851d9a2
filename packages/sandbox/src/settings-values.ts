import { resolve } from 'node:path';
import { z } from 'zod';
import { ACCOUNT_ID_PATTERN, ENDPOINT_METHODS } from '@bursar/merchant-api/spec';
import { accountUuidOf } from './core/account-ids.ts';
import { type Decimal, isNegative, parseDecimal } from './core/decimal.ts';
import { FateRulesInput } from './fates.ts';
import { FaultRuleInput } from './fault-rules.ts';
import type { ApiKey } from './http/signature.ts';

// Each value is text, from the environment or from the settings file.

export const WholeNumber = z
  .string()
  .regex(/^-?\d{1,12}$/, 'must be a whole number')
  .transform((text) => Number.parseInt(text, 10));

export const DurationMs = WholeNumber.refine((value) => value >= 0, 'must not be below 0');

export const Count = WholeNumber.refine((value) => value >= 1, 'must be at least 1');

/** A factor, not an amount. */
export const Speed = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,9})?$/, 'must be a number above 0')
  .transform((text) => Number.parseFloat(text))
  .refine((value) => value > 0, 'must be a number above 0');

export const NotNegativeDecimal = z.string().transform((text, context) => {
  const value = parseDecimal(text);
  if (value !== null && !isNegative(value)) return value;
  return fail(context, 'must be a decimal of 0 or more');
});

/** `host:port`. An IPv6 host is in brackets. */
export const ListenAddress = z.string().transform((text, context) => {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:\s]+)):(\d{1,5})$/.exec(text);
  const port = Number.parseInt(match?.[3] ?? '', 10);
  const host = match?.[1] ?? match?.[2];
  if (host === undefined || port > 65_535) return fail(context, 'must be host:port');
  return { host, port };
});

/** `sqlite:PATH`. A relative path starts at `folder`. */
export const StorePath = (folder: string) =>
  z
    .string()
    .regex(/^sqlite:(?!\/\/[^/]).+$/, 'must be sqlite:PATH')
    .transform((text) => resolve(folder, text.slice('sqlite:'.length)));

/**
 * `key:secret:account`, comma-separated. A key with several accounts is repeated with the same
 * secret.
 */
export const Keys = z.string().transform((text, context): ReadonlyMap<string, ApiKey> => {
  const keys = new Map<string, ApiKey>();
  for (const [index, entry] of text.split(',').entries()) {
    const [key = '', secret = '', account = '', ...rest] = entry.trim().split(':');
    const isComplete = key !== '' && secret !== '' && rest.length === 0;
    const known = keys.get(key);
    // The message contains the number of the entry, but not its text, which has a secret in it.
    if (!isComplete || !ACCOUNT_ID_PATTERN.test(account)) {
      return fail(
        context,
        `entry ${index + 1} must be key:secret:account, the account 0x and 40 hex digits`,
      );
    }
    if (known !== undefined && known.secret !== secret) {
      return fail(context, `entry ${index + 1} repeats a key with another secret`);
    }
    keys.set(key, { secret, accounts: [...(known?.accounts ?? []), account] });
  }
  const accounts = new Set([...keys.values()].flatMap((key) => key.accounts));
  if (new Set([...accounts].map(accountUuidOf)).size < accounts.size) {
    return fail(context, 'two accounts end with the same 32 digits');
  }
  return keys;
});

/** JSON: `{"USDT_TRC20":"1000000"}`. */
export const Balances = z.string().transform((text, context): ReadonlyMap<string, Decimal> => {
  const checked = z.record(z.string().min(1), NotNegativeDecimal).safeParse(parseJson(text));
  if (checked.success) return new Map(Object.entries(checked.data));
  return fail(context, 'must be a JSON object of currencies with decimals as text');
});

const jsonList = <Rule>(schema: z.ZodType<Rule[]>, what: string) =>
  z.string().transform((text, context): Rule[] => {
    const checked = schema.safeParse(parseJson(text));
    if (checked.success) return checked.data;
    const [issue] = checked.error.issues;
    return fail(
      context,
      `must be a JSON list of ${what} (${issue?.path.join('.')}: ${issue?.message})`,
    );
  });

/** JSON: a list of faults, in the form of `POST /sandbox/faults`. */
export const FaultRules = jsonList(z.array(FaultRuleInput), 'faults');

/** JSON: a list of rules, in the form of `PUT /sandbox/fates`. */
export const FateRuleList = jsonList(FateRulesInput, 'fates');

/** `/path`, or `PUT /path`. Empty: no such operation. */
export const EndpointText = z
  .string()
  .regex(
    new RegExp(`^((${ENDPOINT_METHODS.join('|')}) )?/[\\w./-]+$|^$`),
    `must be empty or a path that starts with /, perhaps after ${ENDPOINT_METHODS.join(', ')} and a space`,
  )
  .refine((text) => !/(^| )\/sandbox(\/|$)/.test(text), 'must not be below /sandbox');

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fail(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

import { z } from 'zod';
import {
  DEFAULT_ENDPOINTS,
  type Endpoints,
  OPERATIONS,
  readEndpoint,
} from '@bursar/merchant-api/spec';
import type { Decimal } from './core/decimal.ts';
import type { FateRule } from './core/fate-rules.ts';
import type { FaultRule } from './core/faults.ts';
import { DEFAULT_MODES, type Modes, type SomeModes, withModes } from './core/modes.ts';
import type { Tariff } from './core/tariff.ts';
import type { ApiKey } from './http/signature.ts';
import { ModesInput } from './modes.ts';
import { collectSettings, nameOf, type SandboxSettingsSources } from './settings-sources.ts';
import * as values from './settings-values.ts';
import { isUrlAllowed } from './webhooks/addresses.ts';

/** For development on one computer. It is public. */
export const DEVELOPMENT_KEY =
  'sandbox-key:sandbox-secret:0x5a4db0c500000000000000000000000000000001';

const DEFAULT_CURRENCIES = [
  'BTC',
  'ETH',
  'SOL',
  'TRX',
  'USDC_ERC20',
  'USDT_ERC20',
  'USDT_TRC20',
] as const;

const DEFAULT_BALANCES = JSON.stringify(
  Object.fromEntries(DEFAULT_CURRENCIES.map((currency) => [currency, '1000000'])),
);

export type SandboxServerSettings = Readonly<{
  listen: Readonly<{ host: string; port: number }>;
  storePath: string;
  keys: ReadonlyMap<string, ApiKey>;
  /** The balances of each account at its first start. */
  balances: ReadonlyMap<string, Decimal>;
  /**
   * Milliseconds between two states at speed 1. With 0 the state changes at once, but after the
   * answer.
   */
  stepMs: number;
  /** How many times faster the sandbox's clocks run. Dates in requests keep their meaning. */
  speed: number;
  tariff: Tariff;
  /** How many people must confirm a mass payout before it is sent. */
  confirmations: number;
  /** How far the service's clock is off, in milliseconds. */
  clockOffsetMs: number;
  /** Whether time stands still until it is advanced. */
  isClockVirtual: boolean;
  /** Whether timestamps of requests are compared with the service's clock or the computer's. */
  timestamps: 'service' | 'computer';
  /** The modes of the settings. The admin API and single requests can override them. */
  modes: Modes;
  /** How many entries the request log keeps. Null: all. */
  requestsKept: number | null;
  /** The receiver of a subscription that exists from the start. */
  webhookUrl: string | null;
  /** Whether webhooks may go to this computer and to private networks. */
  isWebhookPrivateAllowed: boolean;
  faults: readonly FaultRule[];
  fates: readonly FateRule[];
  /** How late the answer to every create is, in milliseconds. */
  createDelayMs: number;
  endpoints: Endpoints;
}>;

/** Settings with mistakes. `problems` names all of them and contains no secret. */
export class SettingsInvalid extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The settings cannot be used:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
    this.name = 'SettingsInvalid';
    this.problems = problems;
  }
}

/**
 * Reads the settings: the environment first, then `[sandbox]` of the settings file, then the
 * defaults. Throws SettingsInvalid.
 */
export function readSettings(sources: SandboxSettingsSources): SandboxServerSettings {
  const { raw, problems } = collectSettings(sources);
  const checked = schemaFor(sources.folder).safeParse(raw);
  const issues = checked.success ? [] : checked.error.issues.flatMap(problemsOf);
  if (!checked.success || problems.length > 0) throw new SettingsInvalid([...problems, ...issues]);
  return toSettings(checked.data);
}

const schemaFor = (folder: string) =>
  z
    .strictObject({
      LISTEN: values.ListenAddress.prefault('127.0.0.1:8788'),
      STORE_URL: values.StorePath(folder).prefault('sqlite:.bursar/sandbox.db'),
      KEYS: values.Keys.prefault(DEVELOPMENT_KEY),
      BALANCES: values.Balances.prefault(DEFAULT_BALANCES),
      STEP_MS: values.DurationMs.prefault('1000'),
      SPEED: values.Speed.prefault('1'),
      FEE_PERCENT: values.NotNegativeDecimal.prefault('1'),
      FEE_FIX: values.NotNegativeDecimal.prefault('0'),
      FEE_MIN: values.NotNegativeDecimal.prefault('0'),
      CONFIRMATION: z.enum(['off', 'on']).prefault('off'),
      CLOCK_OFFSET_MS: values.WholeNumber.prefault('0'),
      CLOCK: z.enum(['system', 'virtual']).prefault('system'),
      TIMESTAMPS: z.enum(['service', 'computer']).prefault('service'),
      MODES: ModesInput,
      REQUESTS_KEPT: values.Count.optional(),
      WEBHOOK_URL: z.string().optional(),
      WEBHOOK_PRIVATE: z.enum(['allow', 'refuse']).prefault('allow'),
      FAULTS: values.FaultRules.prefault('[]'),
      FATES: values.FateRuleList.prefault('[]'),
      DELAY_MS_CREATE: values.DurationMs.prefault('0'),
      ENDPOINT: z
        .record(z.enum(OPERATIONS), values.EndpointText)
        .refine(areDistinct, 'two operations have the same method and path')
        .prefault(DEFAULT_ENDPOINTS),
    })
    .refine(isWebhookUrlAllowed, {
      path: ['WEBHOOK_URL'],
      error: 'must be an http or https address that webhooks may go to',
    });

function isWebhookUrlAllowed(
  asked: Readonly<{
    WEBHOOK_URL?: string | undefined;
    WEBHOOK_PRIVATE: 'allow' | 'refuse';
    MODES: SomeModes;
  }>,
): boolean {
  const { WEBHOOK_URL: url, WEBHOOK_PRIVATE: privateHosts } = asked;
  const { webhookPortMin } = asked.MODES;
  return url === undefined || isUrlAllowed(url, privateHosts === 'allow', webhookPortMin);
}

function areDistinct(endpoints: Endpoints): boolean {
  const served = Object.values(endpoints).flatMap((text) => readEndpoint(text) ?? []);
  return new Set(served.map(({ method, path }) => `${method} ${path}`)).size === served.length;
}

function problemsOf(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${nameOf([...issue.path, key])}: no such setting`);
  }
  return [`${nameOf(issue.path)}: ${issue.message}`];
}

const toSettings = (data: z.infer<ReturnType<typeof schemaFor>>): SandboxServerSettings => ({
  listen: data.LISTEN,
  storePath: data.STORE_URL,
  keys: data.KEYS,
  balances: data.BALANCES,
  stepMs: data.STEP_MS,
  speed: data.SPEED,
  tariff: { percent: data.FEE_PERCENT, fix: data.FEE_FIX, min: data.FEE_MIN },
  confirmations: data.CONFIRMATION === 'on' ? 1 : 0,
  clockOffsetMs: data.CLOCK_OFFSET_MS,
  isClockVirtual: data.CLOCK === 'virtual',
  timestamps: data.TIMESTAMPS,
  modes: withModes(DEFAULT_MODES, data.MODES),
  requestsKept: data.REQUESTS_KEPT ?? null,
  webhookUrl: data.WEBHOOK_URL ?? null,
  isWebhookPrivateAllowed: data.WEBHOOK_PRIVATE === 'allow',
  faults: data.FAULTS,
  fates: data.FATES,
  createDelayMs: data.DELAY_MS_CREATE,
  endpoints: data.ENDPOINT,
});

export const accountsOf = ({ keys }: SandboxServerSettings): readonly string[] => [
  ...new Set([...keys.values()].flatMap(({ accounts }) => accounts)),
];

/** Milliseconds between two states. */
export const stepMsOf = ({ stepMs, speed }: SandboxServerSettings): number =>
  Math.round(stepMs / speed);

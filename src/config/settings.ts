import type { HouseRules } from '../domain/plan/rules.ts';
import type { CodeNamed } from './code-names.ts';
import type { RULE_SECTIONS } from './rules-schema.ts';
import type { CheckedToml } from './schema.ts';

export type { ListenAddress } from './readers.ts';

type RuleSection = keyof typeof RULE_SECTIONS;

/** The sections of `bursar.toml` under their names in code; `schema.ts` declares each setting. */
type PlainSections = CodeNamed<{
  [Section in Exclude<keyof CheckedToml, RuleSection>]: CheckedToml[Section];
}>;

/** The section `approval`. */
export type ApprovalSettings = CodeNamed<CheckedToml['approval']>;

/** A person of `approval.people`. `webRole`: the role of the person in the web app, besides approving. `oidc`: the account at the provider. */
export type WebPerson = ApprovalSettings['people'][number];

/** Everything that can be set, checked and frozen. Paths are absolute, and times are in milliseconds. */
export type Settings = PlainSections &
  Readonly<{
    api: Readonly<{
      /** Only from `BURSAR_API_SECRET`, and only with a warning. A function, as `secretText` is. */
      readSecretText?: () => string;
    }>;
    /** Those who may approve and sign in, also where there is no approval policy. */
    people: readonly WebPerson[];
    /** Made of the sections `approval`, `findings`, `payees`, `limits` and `fees`. */
    rules: HouseRules;
    /** Sentences for the person who starts the program: odd, but not wrong. */
    warnings: readonly string[];
  }>;

export type ApiSettings = Settings['api'];
export type OidcSettings = Settings['serve']['oidc'];
export type CodecSettings = Settings['codec'];
export type ScheduleSettings = Settings['schedule'];

/** How an ambiguous create continues once its fence has passed. */
export type ResendMode = ApiSettings['resend'];

/** Notices to payees; without a template file there are none. */
export type NoticeSettings = Settings['notices'];

/** Where notifications go: to a url, or to a command. */
export type NotifyTarget = Settings['notify']['targets'][number];

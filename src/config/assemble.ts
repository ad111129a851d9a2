import type { ApprovalPolicy, Person } from '../domain/approval/policy.ts';
import { approvalWarnings, passkeyWarnings } from './approval-checks.ts';
import { codeNamed } from './code-names.ts';
import type { CheckedToml } from './schema.ts';
import type { ApprovalSettings, Settings, WebPerson } from './settings.ts';
import type { Env } from './sources.ts';
import { withPasswordFile } from '../domain/store/store-url.ts';
import { findWarnings } from './warnings.ts';

type SettingsContext = Readonly<{ env: Env; folder: string }>;

/** Gives checked settings their names in code and absolute paths, counted from `folder`. */
export function assemble(checked: CheckedToml, { env, folder }: SettingsContext): Settings {
  const { approval, findings, payees, limits, fees, ...sections } = codeNamed(checked, folder);
  const secret = env['BURSAR_API_SECRET'];
  const api = { ...sections.api, ...(secret && { readSecretText: () => secret }) };
  const { codec, notify, store, temporal } = sections;
  const uiOrigin = new URL(temporal.uiUrl).origin;
  return {
    ...sections,
    api,
    store: { ...store, url: withPasswordFile(store.url, store.passwordFile) },
    codec: { ...codec, origins: codec.origins.length === 0 ? [uiOrigin] : codec.origins },
    people: approval.people,
    rules: {
      approval: policyOrNull(approval),
      findings: { confirm: findings.confirm, block: findings.block },
      historyDays: findings.historyDays,
      limits,
      fees,
      ...(payees.knownAbove.length === 0 ? {} : { payees }),
    },
    warnings: [
      ...findWarnings(api, notify.targets, env),
      ...approvalWarnings(checked.approval),
      ...passkeyWarnings(approval.people, sections.serve.origin),
    ],
  };
}

/** No tier, no policy: then no approval is needed. */
const policyOrNull = ({ people, ...policy }: ApprovalSettings): ApprovalPolicy | null =>
  policy.tiers.length === 0 ? null : { ...policy, people: people.map(approverOf) };

/** How a person signs in, and the role in the web app, decide nothing about a plan, and are no part of its policy. */
const approverOf = ({ webRole: _role, oidc: _account, ...person }: WebPerson): Person => person;

import { resolve } from 'node:path';
import { type Endpoints, OPERATIONS } from '@bursar/merchant-api/spec';
import { approvalWarnings } from './approval-checks.ts';
import { assembleRules } from './assemble-rules.ts';
import type { CheckedToml } from './schema.ts';
import type { ApiSettings, NotifyTarget, SandboxSettings, Settings } from './settings.ts';
import type { Env } from './sources.ts';
import { findWarnings } from './warnings.ts';

type Context = Readonly<{ env: Env; folder: string }>;

/** Gives checked settings their names in code and absolute paths, counted from `folder`. */
export function assemble(checked: CheckedToml, { env, folder }: Context): Settings {
  const { batch, poll, bridge } = checked;
  const api = assembleApi(checked.api, { env, folder });
  const notify = checked.notify.targets.map((target) => assembleTarget(target, folder));
  return {
    api,
    store: { url: absoluteUrl(checked.store.url, folder) },
    blob: { url: absoluteUrl(checked.blob.url, folder) },
    funds: { shared: checked.funds.shared },
    batch: {
      chunkRows: batch.chunk_rows,
      chunksInFlight: batch.chunks_in_flight,
      rowTag: batch.row_tag,
      canaryRows: batch.canary_rows,
      stopLoss: batch.stop_loss,
    },
    poll: { minMs: poll.min_ms, maxMs: poll.max_ms },
    bridge: {
      listen: bridge.listen,
      ...present('publicUrl', bridge.public_url),
      tokenFile: resolve(folder, bridge.token_file),
    },
    report: {
      dir: resolve(folder, checked.report.dir),
      followDays: checked.report.follow_days,
    },
    ...assembleTemporal(checked, folder),
    operator: {
      ...present('name', checked.operator.name),
      ...(checked.operator.key_file === undefined
        ? {}
        : { keyFile: resolve(folder, checked.operator.key_file) }),
    },
    rules: assembleRules(checked),
    schedule: {
      folder: resolve(folder, checked.schedule.folder),
      catchUpMs: checked.schedule.catch_up_ms,
    },
    notify,
    watch: { everyMs: checked.watch.every_ms },
    sandbox: assembleSandbox(checked.sandbox),
    warnings: [...findWarnings({ api, notify }, env), ...approvalWarnings(checked.approval)],
  };
}

function assembleApi(api: CheckedToml['api'], { env, folder }: Context): ApiSettings {
  const secret = env['BURSAR_API_SECRET'];
  return {
    ...present('baseUrl', api.base_url),
    ...present('key', api.key),
    ...present('secretFile', api.secret_file && resolve(folder, api.secret_file)),
    ...present('readSecretText', secret ? () => secret : undefined),
    ...present('account', api.account),
    timestampWindowMs: api.timestamp_window_ms,
    ...present('skewMs', api.skew_ms),
    fenceMarginMs: api.fence_margin_ms,
    sendBudgetMs: api.send_budget_ms,
    requestTimeoutMs: api.request_timeout_ms,
    resend: api.resend,
    ...present('requestsPerSecond', api.requests_per_second),
    endpoints: assembleEndpoints(api.endpoints),
  };
}

function assembleTemporal(
  { temporal, encryption, codec }: CheckedToml,
  folder: string,
): Pick<Settings, 'temporal' | 'codec'> {
  const { task_queue: taskQueue, ui_url: uiUrl, key_ring_file: keyRingFile } = temporal;
  const origins = codec.origins.length === 0 ? [new URL(uiUrl).origin] : codec.origins;
  return {
    temporal: {
      taskQueue,
      uiUrl,
      ...present('keyRingFile', keyRingFile && resolve(folder, keyRingFile)),
      ...present('encryptionRequired', encryption.required),
    },
    codec: { listen: codec.listen, tokenFile: resolve(folder, codec.token_file), origins },
  };
}

function assembleTarget(
  target: CheckedToml['notify']['targets'][number],
  folder: string,
): NotifyTarget {
  return {
    name: target.name,
    events: target.events,
    ...present('url', target.url),
    ...present('secretFile', target.secret_file && resolve(folder, target.secret_file)),
    ...present('command', target.command),
  };
}

const assembleSandbox = ({ listen, keys, endpoints }: CheckedToml['sandbox']): SandboxSettings => ({
  listen,
  ...present('readKeysText', keys === undefined ? undefined : () => keys),
  endpoints: assembleEndpoints(endpoints),
});

const assembleEndpoints = (paths: Readonly<Record<string, string>>): Endpoints =>
  Object.fromEntries(
    OPERATIONS.map((operation) => [operation, paths[operation.toLowerCase()]]),
  ) as Endpoints;

/** Makes the file of `sqlite:FILE` and the folder of `file:FOLDER` absolute; other addresses stay. */
function absoluteUrl(url: string, folder: string): string {
  const [, scheme, path] = /^(sqlite|file):(?!:memory:)(.+)$/.exec(url) ?? [];
  return scheme === undefined || path === undefined ? url : `${scheme}:${resolve(folder, path)}`;
}

/** A property that is there only when it has a value. */
function present<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): Partial<Record<Name, Value>> {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, Value>);
}

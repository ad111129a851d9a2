import { readApiSecret } from './api-access.ts';
import { readKeyRing } from './key-ring.ts';
import { readTargetSecrets } from './notify-keys.ts';
import { readSecretFile } from './secret-file.ts';
import type { Settings } from './settings.ts';
import type { Env } from './sources.ts';
import { readBridgeTokens, readCodecTokens } from './token-files.ts';
import { readWebhookSecret } from './webhook-secret.ts';

/** Variables of the environment that hold secrets of other programs. */
const SECRET_VARIABLE = /SECRET|TOKEN|PASSWORD|PASSPHRASE|CREDENTIAL|PRIVATE|KEY_DATA|_KEY$/i;
const WORD = /[^\s:,;"']+/g;

/**
 * All secrets of these settings and this environment, as text or as bytes, so that an output can leave them out. Some
 * of them are harmless. Throws the errors of reading the files.
 */
export function readKnownSecrets(settings: Settings, env: Env): (string | Uint8Array)[] {
  const { api, bridge, codec, notices, notify, sandbox, serve, temporal } = settings;
  const hasSecret = api.secretFile !== undefined || api.readSecretText !== undefined;
  return [
    ...(hasSecret ? [readApiSecret(settings)] : []),
    ...(api.key === undefined ? [] : [api.key]),
    ...readBridgeTokens(bridge.tokenFile),
    readWebhookSecret(bridge.tokenFile) ?? '',
    ...readCodecTokens(codec.tokenFile),
    ...(temporal.keyRingFile === undefined ? [] : readKeyRing(temporal.keyRingFile)).map(
      ({ key }) => key,
    ),
    ...notify.targets.flatMap((target) => readTargetSecrets(target)),
    ...[serve.oidc.clientSecretFile ?? []].flat().map(readSecretFile),
    ...notify.targets.flatMap(({ url }) => (url === undefined ? [] : [url])),
    ...(notices.secretFile === undefined ? [] : [readSecretFile(notices.secretFile)]),
    ...wordsOf(sandbox.keys?.() ?? ''),
    ...Object.entries(env)
      .filter(([name, value]) => SECRET_VARIABLE.test(name) && !isPath(value ?? ''))
      .flatMap(([, value]) => [value ?? '', ...wordsOf(value ?? '')]),
  ].filter((secret) => secret.length > 0);
}

/** Several keys can stand in one setting. */
const wordsOf = (text: string): string[] => text.match(WORD) ?? [];

/** `BURSAR_API_SECRET_FILE` and others name files. */
const isPath = (text: string): boolean => /^[./~]/.test(text);

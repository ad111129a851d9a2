import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Env, loadCodecTokens, makeKeyRing, readKeyRing } from '../config.ts';
import type { StackOptions } from './options.ts';
import { listenText, localUrl, type Place } from './stack-ports.ts';

/** The further parts of an encrypted stack. */
export type LocalEncryption = Readonly<{
  /** The variables by which worker, bridge, codec server and commands use the same keys. */
  engineEnv: Env;
  /** Where Temporal's web UI has payloads decrypted. It holds the token, and so is a secret. */
  uiEndpoint: string;
}>;

/** The key ring of a stack: that of the settings, else one of its own; once there is one, it is used. */
export function ringFileOf(
  { settings, encrypt }: StackOptions,
  dataDir: string,
): string | undefined {
  const own = join(dataDir, 'key-ring');
  return settings.temporal.keyRingFile ?? (encrypt || existsSync(own) ? own : undefined);
}

/**
 * Makes missing files: with `encrypt` the key ring, and the token of the codec server, each in a file that only its
 * owner can read. Throws KEY_RING_OPEN, KEY_RING_UNREADABLE, KEY_RING_UNWRITABLE, CODEC_TOKEN_FILE_OPEN,
 * CODEC_TOKEN_FILE_UNREADABLE.
 */
export function prepareEncryption(
  { settings, encrypt }: StackOptions,
  { ringFile, place }: Readonly<{ ringFile: string; place: Place }>,
): LocalEncryption {
  if (encrypt && !existsSync(ringFile)) makeKeyRing(ringFile, Date.now());
  readKeyRing(ringFile);
  const [token = ''] = loadCodecTokens(settings.codec.tokenFile);
  const listen = listenText(place);
  return {
    engineEnv: {
      BURSAR_TEMPORAL_KEY_RING_FILE: ringFile,
      ...(listen === listenText(settings.codec.listen) ? {} : { BURSAR_CODEC_LISTEN: listen }),
    },
    uiEndpoint: `${localUrl(place)}/${token}`,
  };
}

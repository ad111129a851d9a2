import { entry } from './entry.ts';

type File = Readonly<{ file: string }>;

/** Errors of the keys that encrypt payloads, of payloads, and of the codec server. */
export const CODEC_ERRORS = {
  KEY_RING_OPEN: entry<File & Readonly<{ mode: string }>>({
    category: 'usage',
    what: (f) => `The key ring ${f.file} can be read by others (mode ${f.mode}).`,
    why: 'Anyone who reads it can decrypt everything that Temporal keeps.',
    fix: (f) => `Run: chmod 600 ${f.file}. If others may have read it: bursar keys ring --rotate`,
  }),
  KEY_RING_UNREADABLE: entry<File & Readonly<{ reason: string }>>({
    category: 'usage',
    what: (f) => `The key ring ${f.file} cannot be used (${f.reason}).`,
    why: 'Without its keys encrypted payloads cannot be read, and nothing may be written unencrypted.',
    fix: 'Check temporal.key_ring_file. Restore the file from your copy. Make a new one with "bursar keys ring" only if nothing was encrypted yet.',
  }),
  KEY_RING_UNWRITABLE: entry<File & Readonly<{ reason: string }>>({
    category: 'usage',
    what: (f) => `The key ring ${f.file} cannot be written (${f.reason}).`,
    why: 'A key is used only after the file has it. The file was not changed.',
    fix: 'Check the folder, its permissions and the free space.',
  }),
  KEY_RING_MISSING: entry<Readonly<{ keyId: string }>>({
    category: 'usage',
    what: (f) => `The data of Temporal is encrypted (with key ${f.keyId}), and no key ring is set.`,
    why: 'Every worker, bridge and command needs the key ring to read it.',
    fix: 'Set BURSAR_TEMPORAL_KEY_RING_FILE, or temporal.key_ring_file in bursar.toml, to the key ring of the others.',
  }),
  CODEC_KEY_UNKNOWN: entry<File & Readonly<{ keyId: string }>>({
    category: 'usage',
    what: (f) =>
      `A payload is encrypted with key ${f.keyId}, which the key ring ${f.file} does not hold.`,
    why: 'Another program encrypts with a newer ring, or an old key was removed too early.',
    fix: 'Put the same ring on every machine. It needs each key that was used within the retention of the namespace.',
  }),
  CODEC_OTHER_NAMESPACE: entry<Readonly<{ namespace: string; foreign: string }>>({
    category: 'auth',
    what: (f) => `A payload was encrypted for the namespace ${f.foreign} and is in ${f.namespace}.`,
    why: 'A payload of one namespace must not count in another.',
    fix: 'Find out who copied it. If the namespace was renamed, use the old name to read its old batches.',
  }),
  CODEC_PAYLOAD_REFUSED: entry<Readonly<{ keyId: string; reason: string }>>({
    category: 'auth',
    what: (f) => `An encrypted payload is not genuine (key ${f.keyId}: ${f.reason}).`,
    why: 'It was changed after it was encrypted, or encrypted with another key of the same name.',
    fix: 'Compare the key rings of all machines (bursar keys ring). If they agree, a person or program changed the data of Temporal: find out who, before you continue.',
  }),
  PAYLOAD_IN_CLEAR: entry({
    category: 'auth',
    what: () => 'Temporal returned an unencrypted payload, and encryption is required.',
    why: 'Another client without the key ring sent it, or it is older than the key ring.',
    fix: 'Give that program the key ring. While batches run that began without one, set encryption.required = false.',
  }),
  CODEC_TOKEN_FILE_OPEN: entry<File & Readonly<{ mode: string }>>({
    category: 'usage',
    what: (f) =>
      `The token file of the codec server, ${f.file}, can be read by others (mode ${f.mode}).`,
    why: 'Anyone who reads it can decrypt everything.',
    fix: (f) => `Run: chmod 600 ${f.file}`,
  }),
  CODEC_TOKEN_FILE_UNREADABLE: entry<File & Readonly<{ reason: string }>>({
    category: 'usage',
    what: (f) => `The token file of the codec server, ${f.file}, cannot be used (${f.reason}).`,
    why: 'Without a token anyone could decrypt payloads.',
    fix: 'Check codec.token_file. To get a new token, remove the file. The address of the codec server then changes.',
  }),
};

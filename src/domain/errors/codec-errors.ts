import { entry } from './entry.ts';

type File = Readonly<{ file: string }>;

/** Errors of the keys that encrypt payloads, of payloads, and of the codec server. */
export const CODEC_ERRORS = {
  KEY_RING_OPEN: entry<File & Readonly<{ mode: string }>>({
    category: 'usage',
    what: (f) => `The key ring ${f.file} can be read by others (mode ${f.mode}).`,
    why: 'Whoever reads it can decrypt everything that Temporal keeps.',
    fix: (f) => `Run: chmod 600 ${f.file}. If others may have read it: bursar keys ring --rotate`,
  }),
  KEY_RING_UNREADABLE: entry<File & Readonly<{ reason: string }>>({
    category: 'usage',
    what: (f) => `The key ring ${f.file} cannot be used (${f.reason}).`,
    why: 'Without its keys nothing that is encrypted can be read, and nothing may be written in clear instead.',
    fix: 'Check temporal.key_ring_file. Restore the file from your copy; make a new one with "bursar keys ring" only if nothing was encrypted yet.',
  }),
  KEY_RING_UNWRITABLE: entry<File & Readonly<{ reason: string }>>({
    category: 'usage',
    what: (f) => `The key ring ${f.file} cannot be written (${f.reason}).`,
    why: 'A key is only used once it is safe in the file. The file is as it was.',
    fix: 'Check the folder, its permissions and the free space.',
  }),
  KEY_RING_MISSING: entry<Readonly<{ keyId: string }>>({
    category: 'usage',
    what: (f) =>
      `What Temporal keeps here is encrypted (with key ${f.keyId}), and no key ring is set.`,
    why: 'Every worker, bridge and command needs the key ring to read it.',
    fix: 'Set BURSAR_TEMPORAL_KEY_RING_FILE, or temporal.key_ring_file in bursar.toml, to the key ring of the others.',
  }),
  CODEC_KEY_UNKNOWN: entry<File & Readonly<{ keyId: string }>>({
    category: 'usage',
    what: (f) =>
      `A payload is encrypted with key ${f.keyId}, which the key ring ${f.file} does not hold.`,
    why: 'Somebody encrypts with a newer ring, or an old key was taken out too early.',
    fix: 'Put the same ring on every machine, with every key that was ever used within the retention of the namespace.',
  }),
  CODEC_OTHER_NAMESPACE: entry<Readonly<{ namespace: string; foreign: string }>>({
    category: 'auth',
    what: (f) =>
      `A payload was encrypted for the namespace ${f.foreign} and stands in ${f.namespace}.`,
    why: 'What was said in one namespace must not count in another.',
    fix: 'Look who copied it. If the namespace was renamed, its old batches can only be read under the old name.',
  }),
  CODEC_PAYLOAD_REFUSED: entry<Readonly<{ keyId: string; reason: string }>>({
    category: 'auth',
    what: (f) => `An encrypted payload cannot be believed (key ${f.keyId}: ${f.reason}).`,
    why: 'It was changed after it was encrypted, or encrypted with another key of the same name.',
    fix: 'Compare the key rings of all machines (bursar keys ring). If they agree, somebody changed what Temporal keeps: look into it before you go on.',
  }),
  PAYLOAD_IN_CLEAR: entry({
    category: 'auth',
    what: () => 'Temporal handed over a payload in clear, where encryption is required.',
    why: 'Only programs with the key ring can encrypt. A payload in clear is of another client, or older than the key ring.',
    fix: 'Give the program the key ring. For the time in which batches run that began without one: encryption.required = false.',
  }),
  CODEC_TOKEN_FILE_OPEN: entry<File & Readonly<{ mode: string }>>({
    category: 'usage',
    what: (f) =>
      `The token file of the codec server, ${f.file}, can be read by others (mode ${f.mode}).`,
    why: 'Whoever reads it can have everything decrypted.',
    fix: (f) => `Run: chmod 600 ${f.file}`,
  }),
  CODEC_TOKEN_FILE_UNREADABLE: entry<File & Readonly<{ reason: string }>>({
    category: 'usage',
    what: (f) => `The token file of the codec server, ${f.file}, cannot be used (${f.reason}).`,
    why: 'Without a token anybody could have payloads decrypted.',
    fix: 'Check codec.token_file. To have a new token made, remove the file; the address of the codec server changes with it.',
  }),
};

import { entry } from './entry.ts';

/** Errors of settings, flags, processes and the machine. */
export const SETUP_ERRORS = {
  SETTINGS_INVALID: entry<Readonly<{ problems: string }>>({
    category: 'usage',
    what: (f) => `The settings are not usable: ${f.problems}.`,
    why: 'They are checked together before anything starts.',
    fix: 'Correct them in the environment or in bursar.toml.',
  }),
  SETTING_MISSING: entry<Readonly<{ setting: string; variable: string }>>({
    category: 'usage',
    what: (f) => `The setting ${f.setting} is missing.`,
    why: 'This command needs it.',
    fix: (f) => `Set ${f.variable}, or ${f.setting} in bursar.toml.`,
  }),
  SECRET_FILE_OPEN: entry<Readonly<{ file: string; mode: string }>>({
    category: 'usage',
    what: (f) => `The secret file ${f.file} can be read by others (mode ${f.mode}).`,
    why: 'Whoever reads it can move money.',
    fix: (f) => `Run: chmod 600 ${f.file}`,
  }),
  SECRET_FILE_UNREADABLE: entry<Readonly<{ file: string; reason: string }>>({
    category: 'usage',
    what: (f) => `The secret file ${f.file} cannot be read (${f.reason}).`,
    why: 'Without the secret nothing can be signed.',
    fix: 'Check the setting that names it; the file holds the secret alone, mode 0600 or 0400 (0440 for a file of root and a group of the program).',
  }),
  BRIDGE_TOKEN_FILE_OPEN: entry<Readonly<{ file: string; mode: string }>>({
    category: 'usage',
    what: (f) => `The token file of the bridge, ${f.file}, can be read by others (mode ${f.mode}).`,
    why: 'Whoever reads it can send the bridge webhooks of their own.',
    fix: (f) => `Run: chmod 600 ${f.file}`,
  }),
  BRIDGE_TOKEN_FILE_UNREADABLE: entry<Readonly<{ file: string; reason: string }>>({
    category: 'usage',
    what: (f) => `The token file of the bridge, ${f.file}, cannot be used (${f.reason}).`,
    why: 'Without a token nobody could tell the webhooks of the service from others.',
    fix: 'Check bridge.token_file. To have a new token made, remove the file; the address of the webhooks changes with it.',
  }),
  FLAG_INVALID: entry<Readonly<{ flag: string; problem: string }>>({
    category: 'usage',
    what: (f) => `${f.flag}: ${f.problem}.`,
    why: 'The command line could not be understood.',
    fix: 'See "bursar help" and "bursar help COMMAND".',
  }),
  TEMPORAL_UNREACHABLE: entry<Readonly<{ address: string; reason: string }>>({
    category: 'unreachable',
    what: (f) => `Temporal at ${f.address} cannot be reached (${f.reason}).`,
    why: 'Batches live in Temporal, so the command cannot go on without it. Nothing was sent.',
    fix: 'Start it ("bursar up" for a local stack), or set TEMPORAL_ADDRESS.',
  }),
  /** `isSent`: whether a command was sent to the batch, for the worker that comes next; missing: there was none to send. */
  WORKER_SILENT: entry<Readonly<{ taskQueue: string; isSent?: boolean }>>({
    category: 'unreachable',
    what: (f) => `No worker answers on task queue ${f.taskQueue}.`,
    why: ({ isSent }) =>
      isSent === undefined
        ? 'The batch is safe in Temporal and waits for a worker.'
        : isSent
          ? 'The command waits in Temporal: the worker that comes next carries it out.'
          : 'The batch is safe in Temporal and waits for a worker. The command changed nothing.',
    fix: ({ taskQueue }) =>
      `Start one with "npm run worker" or "bursar up", with BURSAR_TASK_QUEUE=${taskQueue}.`,
  }),
  TEMPORAL_CLI_MISSING: entry<Readonly<{ tried: string }>>({
    category: 'usage',
    what: 'The Temporal command line tool could not be found, downloaded or built.',
    why: (f) => `Tried: ${f.tried}.`,
    fix: 'Install it (https://docs.temporal.io/cli) so that "temporal" is on PATH, or set BURSAR_TEMPORAL_CLI to its path.',
  }),
  /** `setting`: where the address of a server is chosen; missing for a program of the local stack. */
  PORT_TAKEN: entry<Readonly<{ name: string; address: string; setting?: string }>>({
    category: 'usage',
    what: (f) => `${f.address} is already in use, so ${f.name} cannot start there.`,
    why: 'Another program (or another "bursar up") listens on it.',
    fix: ({ setting }) =>
      setting === undefined
        ? 'Stop the other program, choose another port in the settings, or let "bursar up --free-ports" find one.'
        : `Stop the other program, or choose another port with ${setting}.`,
  }),
  STACK_RUNNING: entry<Readonly<{ folder: string }>>({
    category: 'usage',
    what: (f) => `Another local stack already runs in ${f.folder}.`,
    why: 'Two of them on one store and one Temporal database would take work from each other.',
    fix: 'Stop the other one ("bursar up", "bursar demo" or "npm run temporal"), or start this one in another folder.',
  }),
  STACK_NOT_RUNNING: entry<Readonly<{ folder: string }>>({
    category: 'usage',
    what: (f) => `No local stack runs in ${f.folder}.`,
    why: 'The addresses of a stack are known while it runs, in the folder where it was started.',
    fix: 'Start it with "bursar up" in another terminal, and run the command again in the same folder.',
  }),
  PROCESS_DIED: entry<Readonly<{ name: string; code: string; log: string }>>({
    category: 'unreachable',
    what: (f) => `The ${f.name} process ended (${f.code}).`,
    why: (f) => `Its last words stand in ${f.log}.`,
    fix: 'Correct what the log names, and start again; batches go on where they were.',
  }),
  STORE_UNUSABLE: entry<Readonly<{ url: string; reason: string }>>({
    category: 'usage',
    what: (f) => `The store ${f.url} cannot be used (${f.reason}).`,
    why: 'Nothing is sent when it cannot be written down first.',
    fix: 'Check store.url, the free space, and the permissions of its folder.',
  }),
  STORE_IS_ANOTHER: entry<Readonly<{ store: string; served: string; taskQueue: string }>>({
    category: 'usage',
    what: (f) =>
      `The store of these settings (${f.store}) is not the store that task queue ${f.taskQueue} works with (${f.served}).`,
    why: 'A program with another store does not know what was sent. Nothing was started, sent or ended.',
    fix: (f) =>
      `First look for the store ${f.served}: "bursar doctor" in a folder shows the id of its store. Start this program in that folder, with that store.url. ` +
      'If this is the right store, and a worker of the other one was started by mistake: stop that worker, then bursar recover. Only if the other store is lost for good: bursar recover --store empty',
  }),
  STORE_AT_WORK: entry<Readonly<{ served: string; taskQueue: string; seconds: number }>>({
    category: 'usage',
    what: (f) =>
      `A worker with the store ${f.served} asked task queue ${f.taskQueue} for work in the last ${f.seconds} seconds.`,
    why: 'That store is at work and nothing is lost. Two stores on one task queue could pay rows twice. Nothing was changed.',
    fix: 'Start this program in the folder, and with the store.url, of that worker. If that worker has the wrong store, or its store was deleted just now: stop it, wait two minutes, and run the command again.',
  }),
  STORE_LACKS_BATCH: entry<Readonly<{ batchId: string }>>({
    category: 'unreachable',
    what: (f) => `The store does not have batch ${f.batchId}, which runs in Temporal.`,
    why: 'The store is another one, is empty, or is a copy from before the batch began. The batch waits, and nothing of it is sent.',
    fix: 'Bring the right store back. If this is an older copy of it: bursar recover --store older. If it is lost for good: bursar recover --store empty',
  }),
  STORE_NOT_EMPTY: entry<Readonly<{ store: string; batches: number; served: string }>>({
    category: 'usage',
    what: (f) =>
      `The store (${f.store}) has ${f.batches} batches of its own, so it cannot take the place of the lost store (${f.served}).`,
    why: 'Only an empty store is known to have no other payments. A store of another task queue would mix two books.',
    fix: 'If this is the right store, and a worker of the other one was started by mistake: stop that worker, then bursar recover. If the other store is lost: name a new file in store.url, for the workers too, and run the command again. For an older copy of the lost store: bursar recover --store older',
  }),
  ADDRESS_UNSERVED: entry<Readonly<{ setting: string; url: string; served: string }>>({
    category: 'usage',
    what: (f) => `${f.setting} is ${f.url}, and this version has no driver for it.`,
    why: (f) => `This version serves ${f.served} only. Nothing was opened or made.`,
    fix: (f) => `Set ${f.setting} to an address of that kind.`,
  }),
  STORE_UNREACHABLE: entry<Readonly<{ url: string; reason: string }>>({
    category: 'unreachable',
    what: (f) => `The store ${f.url} cannot be reached (${f.reason}).`,
    why: 'Nothing is sent when it cannot be written down first.',
    fix: 'Check that the server runs, and its address, user and password (store.url, store.password_file); batches go on by themselves.',
  }),
  STORE_PASSWORD_FILE_OPEN: entry<Readonly<{ file: string; mode: string }>>({
    category: 'usage',
    what: (f) =>
      `The file with the password of the store, ${f.file}, can be read by others (mode ${f.mode}).`,
    why: 'Whoever reads it can change what was approved and what was paid.',
    fix: (f) => `Run: chmod 600 ${f.file}`,
  }),
  STORE_PASSWORD_FILE_UNREADABLE: entry<Readonly<{ file: string; reason: string }>>({
    category: 'usage',
    what: (f) =>
      `The file with the password of the store, ${f.file}, cannot be read (${f.reason}).`,
    why: 'The server of the store asks for the password. Batches wait until it can be read.',
    fix: 'Check store.password_file; the file holds the password alone, mode 0600 or 0400 (0440 for a file of root and a group of the program).',
  }),
  STORE_TOO_NEW: entry<Readonly<{ url: string; has: string }>>({
    category: 'usage',
    what: (f) => `The store ${f.url} is of a newer version: it has the change "${f.has}".`,
    why: 'This version cannot write all that the newer one keeps. Nothing was changed.',
    fix: 'Start the version that made the change, or a newer one.',
  }),
  STORE_TOO_OLD: entry<Readonly<{ url: string; lacks: string }>>({
    category: 'usage',
    what: (f) => `The store ${f.url} lacks the change "${f.lacks}".`,
    why: 'The store is new, or of an older version. Only one command changes its tables, so that no two programs do at once.',
    fix: 'Run once: bursar store migrate',
  }),
  BACKUP_EXISTS: entry<Readonly<{ path: string }>>({
    category: 'usage',
    what: (f) => `The file ${f.path} exists.`,
    why: 'A backup replaces no file. Nothing was written.',
    fix: 'Name another file, for example with the date in its name.',
  }),
  BACKUP_UNWRITABLE: entry<Readonly<{ path: string; reason: string }>>({
    category: 'usage',
    what: (f) => `The backup ${f.path} cannot be written (${f.reason}).`,
    why: 'A backup makes no folder. Nothing stays behind of it.',
    fix: 'Check that its folder exists, its free space and its permissions; then run the command again.',
  }),
  BACKUP_BROKEN: entry<Readonly<{ path: string; reason: string }>>({
    category: 'usage',
    what: (f) => `The backup ${f.path} cannot be restored (${f.reason}).`,
    why: 'A store with a part of its rows could pay rows twice. Nothing was changed.',
    fix: 'Take another copy of this backup, or an older backup.',
  }),
  BACKUP_OF_OTHER_VERSION: entry<Readonly<{ path: string; change: string }>>({
    category: 'usage',
    what: (f) =>
      `The backup ${f.path} is of another version: the change "${f.change}" is in one of the two only.`,
    why: 'The tables of the two versions differ. Nothing was changed.',
    fix: 'Restore it with the version that made it. Then start this version.',
  }),
  STORE_HAS_ROWS: entry<Readonly<{ url: string; table: string }>>({
    category: 'usage',
    what: (f) => `The store ${f.url} is not empty: its table ${f.table} has rows.`,
    why: 'A backup is the whole of a store, and two stores cannot be mixed. Nothing was changed.',
    fix: 'Name a new file or a new database in store.url, and run the command again.',
  }),
  STORE_FULL: entry<Readonly<{ url: string }>>({
    category: 'unreachable',
    what: (f) => `The store ${f.url} is full.`,
    why: 'Nothing is sent when it cannot be written down first.',
    fix: 'Free some space; the batch goes on by itself.',
  }),
  STORE_BUSY: entry<Readonly<{ url: string }>>({
    category: 'unreachable',
    what: (f) => `The store ${f.url} is kept by another process for too long.`,
    why: 'One writes at a time, and nothing is sent when it cannot be written down first.',
    fix: 'Look for a program that has it open, such as a backup or a database browser; the batch goes on by itself.',
  }),
  TEMPORARY_UNUSABLE: entry<Readonly<{ folder: string; reason: string }>>({
    category: 'usage',
    what: (f) => `The folder for temporary files, ${f.folder}, cannot be used (${f.reason}).`,
    why: 'What was read is kept there for a moment, so that large files need little memory.',
    fix: 'Make it, free some space there, or name another folder with TMPDIR.',
  }),
  BLOB_MISSING: entry<Readonly<{ sha256: string; url: string }>>({
    category: 'not-found',
    what: (f) => `The worker cannot see the uploaded file (${f.sha256}) in ${f.url}.`,
    why: 'Command and worker must use the same blob.url.',
    fix: 'Set the same BURSAR_BLOB_URL for both. If the copy was lost: submit the same file under the same id. The batch goes on with it.',
  }),
  BLOB_DAMAGED: entry<Readonly<{ sha256: string; found: string }>>({
    category: 'file',
    what: (f) => `The stored file with the hash ${f.sha256} has other bytes: ${f.found}.`,
    why: 'It was changed or damaged after it was stored.',
    fix: 'Nothing was sent. Submit the original file again.',
  }),
  PUBLISHED_MISSING: entry<Readonly<{ path: string; url: string }>>({
    category: 'not-found',
    what: (f) => `${f.path} is not among the published files of ${f.url}.`,
    why: 'It was never published there, or it was removed.',
    fix: 'Compare the address with that of the program that published it, or restore the file from a backup.',
  }),
  PUBLISHED_ALREADY: entry<Readonly<{ prefix: string }>>({
    category: 'tampered',
    what: (f) => `Other files were published under ${f.prefix} already.`,
    why: 'Published files never change, so that their readers agree. Nothing was replaced.',
    fix: 'Find out which program wrote there: no other program may write to this place.',
  }),
  FILES_PATH_REFUSED: entry<Readonly<{ path: string }>>({
    category: 'usage',
    what: (f) => `${JSON.stringify(f.path)} is no name of a file that Bursar reads or writes.`,
    why: 'It is too long, is empty between slashes, begins with a dot, or has a character that leads elsewhere.',
    fix: 'Give the file a plain name.',
  }),
  FILES_UNAVAILABLE: entry<Readonly<{ url: string; action: string; reason: string }>>({
    category: 'unreachable',
    what: (f) => `The object store ${f.url} did not ${f.action} (${f.reason}).`,
    why: 'It did not answer, or it refused the credentials of this program. Nothing was half written.',
    fix: 'Compare region, endpoint, bucket and credentials with "bursar doctor". A worker tries again by itself.',
  }),
  INPUT_INVALID: entry<Readonly<{ activity: string; problem: string }>>({
    category: 'usage',
    what: (f) => `The activity ${f.activity} was called with input that it refuses: ${f.problem}.`,
    why: 'No workflow of Bursar calls it like that. Another program reached the task queue, or a worker of another version.',
    fix: 'Run all workers with one version, and let only Bursar reach Temporal (docs/security.md).',
  }),
  INTERNAL: entry<Readonly<{ message: string }>>({
    category: 'bug',
    what: (f) => `Bursar made a mistake: ${f.message}`,
    why: 'This is our bug, not yours.',
    fix: 'Report it with the command and its output.',
  }),
};

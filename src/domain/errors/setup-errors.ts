import { entry } from './entry.ts';

/** Errors of settings, flags, processes and the machine. */
export const SETUP_ERRORS = {
  SETTINGS_INVALID: entry<Readonly<{ problems: string }>>({
    category: 'usage',
    what: (f) => `The settings cannot be used: ${f.problems}.`,
    why: 'Bursar checks all settings before it starts.',
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
    why: 'Anyone who reads it can move money.',
    fix: (f) => `Run: chmod 600 ${f.file}`,
  }),
  SECRET_FILE_UNREADABLE: entry<Readonly<{ file: string; reason: string }>>({
    category: 'usage',
    what: (f) => `The secret file ${f.file} cannot be read (${f.reason}).`,
    why: 'Without the secret nothing can be signed.',
    fix: 'Check the setting of the file. It has only the secret, and mode 0600 or 0400 (0440 for a file of root and a group of the program).',
  }),
  BRIDGE_TOKEN_FILE_OPEN: entry<Readonly<{ file: string; mode: string }>>({
    category: 'usage',
    what: (f) => `The token file of the bridge, ${f.file}, can be read by others (mode ${f.mode}).`,
    why: 'Anyone who reads it can send webhooks to the bridge.',
    fix: (f) => `Run: chmod 600 ${f.file}`,
  }),
  BRIDGE_TOKEN_FILE_UNREADABLE: entry<Readonly<{ file: string; reason: string }>>({
    category: 'usage',
    what: (f) => `The token file of the bridge, ${f.file}, cannot be used (${f.reason}).`,
    why: 'Without a token the bridge could not recognise the webhooks of the service.',
    fix: 'Check bridge.token_file. To get a new token, remove the file. The address of the webhooks then changes.',
  }),
  FLAG_INVALID: entry<Readonly<{ flag: string; problem: string }>>({
    category: 'usage',
    what: (f) => `${f.flag}: ${f.problem}.`,
    why: 'The command line cannot be used as it is.',
    fix: 'See "bursar help" and "bursar help COMMAND".',
  }),
  TEMPORAL_UNREACHABLE: entry<Readonly<{ address: string; reason: string }>>({
    category: 'unreachable',
    what: (f) => `Temporal at ${f.address} cannot be reached (${f.reason}).`,
    why: 'Temporal runs the batches, so the command needs it. Nothing was sent.',
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
          ? 'The command waits in Temporal for the next worker.'
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
    why: 'Two stacks would use one store and one Temporal database.',
    fix: 'Stop the other one ("bursar up", "bursar demo" or "npm run temporal"), or start this one in another folder.',
  }),
  STACK_NOT_RUNNING: entry<Readonly<{ folder: string }>>({
    category: 'usage',
    what: (f) => `No local stack runs in ${f.folder}.`,
    why: 'The addresses of a stack are known only while it runs, in its folder.',
    fix: 'Start it with "bursar up" in another terminal, and run the command again in the same folder.',
  }),
  PROCESS_DIED: entry<Readonly<{ name: string; code: string; log: string }>>({
    category: 'unreachable',
    what: (f) => `The ${f.name} process ended (${f.code}).`,
    why: (f) => `Its last lines are in ${f.log}.`,
    fix: 'Correct the fault that the log shows, and start again. Batches continue where they were.',
  }),
  STORE_UNUSABLE: entry<Readonly<{ url: string; reason: string }>>({
    category: 'usage',
    what: (f) => `The store ${f.url} cannot be used (${f.reason}).`,
    why: 'Bursar stores each request before it sends it.',
    fix: 'Check store.url, the free space, and the permissions of its folder.',
  }),
  STORE_IS_ANOTHER: entry<Readonly<{ store: string; served: string; taskQueue: string }>>({
    category: 'usage',
    what: (f) =>
      `The store of these settings (${f.store}) is not the store that task queue ${f.taskQueue} works with (${f.served}).`,
    why: 'A program with another store does not have the sent requests. Nothing was started, sent or ended.',
    fix: (f) =>
      `First find the store ${f.served}: "bursar doctor" in a folder shows the id of its store. Start this program in that folder, with that store.url. ` +
      'If this store is right, and a worker of the other one was started by mistake: stop that worker, then bursar recover. Only if the other store is lost: bursar recover --store empty',
  }),
  STORE_AT_WORK: entry<Readonly<{ served: string; taskQueue: string; seconds: number }>>({
    category: 'usage',
    what: (f) =>
      `A worker with the store ${f.served} asked task queue ${f.taskQueue} for work in the last ${f.seconds} seconds.`,
    why: 'That store is in use, and nothing is lost. Two stores on one task queue could pay rows twice. Nothing was changed.',
    fix: 'Start this program in the folder of that worker, with its store.url. If that worker has the wrong store, or a deleted one: stop it, wait two minutes, and run the command again.',
  }),
  STORE_LACKS_BATCH: entry<Readonly<{ batchId: string }>>({
    category: 'unreachable',
    what: (f) => `The store does not have batch ${f.batchId}, which runs in Temporal.`,
    why: 'The store is another one, is empty, or is a copy from before the batch. The batch waits and sends nothing.',
    fix: 'Restore the right store. If this is an older copy of it: bursar recover --store older. If it is lost: bursar recover --store empty',
  }),
  STORE_NOT_EMPTY: entry<Readonly<{ store: string; batches: number; served: string }>>({
    category: 'usage',
    what: (f) =>
      `The store (${f.store}) has ${f.batches} batches of its own, so it cannot replace the lost store (${f.served}).`,
    why: 'Only an empty store has no other payments. A store of another task queue would mix two sets of payments.',
    fix: 'If this store is right, and a worker of the other one was started by mistake: stop that worker, then bursar recover. If the other store is lost: name a new file in store.url, for the workers too, and run the command again. For an older copy of the lost store: bursar recover --store older',
  }),
  ADDRESS_UNSERVED: entry<Readonly<{ setting: string; url: string; served: string }>>({
    category: 'usage',
    what: (f) => `${f.setting} is ${f.url}, and this version has no driver for it.`,
    why: (f) => `This version supports only ${f.served}. Nothing was opened or made.`,
    fix: (f) => `Set ${f.setting} to an address of that kind.`,
  }),
  STORE_UNREACHABLE: entry<Readonly<{ url: string; reason: string }>>({
    category: 'unreachable',
    what: (f) => `The store ${f.url} cannot be reached (${f.reason}).`,
    why: 'Bursar stores each request before it sends it.',
    fix: 'Check the server, its address, user and password (store.url, store.password_file). Batches continue by themselves.',
  }),
  STORE_PASSWORD_FILE_OPEN: entry<Readonly<{ file: string; mode: string }>>({
    category: 'usage',
    what: (f) =>
      `The file with the password of the store, ${f.file}, can be read by others (mode ${f.mode}).`,
    why: 'Anyone who reads it can change approvals and payments in the store.',
    fix: (f) => `Run: chmod 600 ${f.file}`,
  }),
  STORE_PASSWORD_FILE_UNREADABLE: entry<Readonly<{ file: string; reason: string }>>({
    category: 'usage',
    what: (f) =>
      `The file with the password of the store, ${f.file}, cannot be read (${f.reason}).`,
    why: 'The server of the store needs the password. Batches wait until it can be read.',
    fix: 'Check store.password_file. The file has only the password, and mode 0600 or 0400 (0440 for a file of root and a group of the program).',
  }),
  STORE_TOO_NEW: entry<Readonly<{ url: string; has: string }>>({
    category: 'usage',
    what: (f) => `The store ${f.url} is of a newer version: it has the change "${f.has}".`,
    why: 'This version cannot write all data of the newer one. Nothing was changed.',
    fix: 'Start the version that made the change, or a newer one.',
  }),
  STORE_TOO_OLD: entry<Readonly<{ url: string; lacks: string }>>({
    category: 'usage',
    what: (f) => `The store ${f.url} lacks the change "${f.lacks}".`,
    why: 'The store is new, or of an older version. Only this command changes its tables.',
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
    why: 'A store without some of its rows could pay rows twice. Nothing was changed.',
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
    why: 'A backup is a whole store, and two stores cannot be mixed. Nothing was changed.',
    fix: 'Name a new file or a new database in store.url, and run the command again.',
  }),
  STORE_FULL: entry<Readonly<{ url: string }>>({
    category: 'unreachable',
    what: (f) => `The store ${f.url} is full.`,
    why: 'Bursar stores each request before it sends it.',
    fix: 'Free some space. The batch continues by itself.',
  }),
  STORE_BUSY: entry<Readonly<{ url: string }>>({
    category: 'unreachable',
    what: (f) => `Another process has used the store ${f.url} for too long.`,
    why: 'One program writes at a time, and Bursar stores each request before it sends it.',
    fix: 'Find the program that has it open, such as a backup or a database browser. The batch continues by itself.',
  }),
  TEMPORARY_UNUSABLE: entry<Readonly<{ folder: string; reason: string }>>({
    category: 'usage',
    what: (f) => `The folder for temporary files, ${f.folder}, cannot be used (${f.reason}).`,
    why: 'Bursar keeps parts of a large file there for a moment.',
    fix: 'Make it, free some space there, or name another folder with TMPDIR.',
  }),
  BLOB_MISSING: entry<Readonly<{ sha256: string; url: string }>>({
    category: 'not-found',
    what: (f) => `The worker cannot see the uploaded file (${f.sha256}) in ${f.url}.`,
    why: 'Command and worker must use the same blob.url.',
    fix: 'Set the same BURSAR_BLOB_URL for both. If the copy was lost, submit the same file under the same id. The batch then continues.',
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
    fix: 'Compare the address with that of the program that published it. Or restore the file from a backup.',
  }),
  PUBLISHED_ALREADY: entry<Readonly<{ prefix: string }>>({
    category: 'tampered',
    what: (f) => `Other files were published under ${f.prefix} already.`,
    why: 'Published files never change, so that their readers agree. Nothing was replaced.',
    fix: 'Find out which program wrote there: no other program may write to this place.',
  }),
  FILES_PATH_REFUSED: entry<Readonly<{ path: string }>>({
    category: 'usage',
    what: (f) => `${JSON.stringify(f.path)} cannot be the name of a file of Bursar.`,
    why: 'It is too long, has an empty part or a forbidden character, or begins with a dot.',
    fix: 'Use a plain name.',
  }),
  FILES_UNAVAILABLE: entry<Readonly<{ url: string; action: string; reason: string }>>({
    category: 'unreachable',
    what: (f) => `The object store ${f.url} did not ${f.action} (${f.reason}).`,
    why: 'It did not answer, or it refused the credentials of this program. No file is incomplete.',
    fix: 'Compare region, endpoint, bucket and credentials with "bursar doctor". A worker tries again by itself.',
  }),
  INPUT_INVALID: entry<Readonly<{ activity: string; problem: string }>>({
    category: 'usage',
    what: (f) => `The activity ${f.activity} was called with input that it refuses: ${f.problem}.`,
    why: 'Another program used the task queue, or a worker of another version.',
    fix: 'Run all workers with one version. Only Bursar may reach Temporal (docs/security.md).',
  }),
  INTERNAL: entry<Readonly<{ message: string }>>({
    category: 'bug',
    what: (f) => `Bursar made a mistake: ${f.message}`,
    why: 'This is our bug, not yours.',
    fix: 'Report it with the command and its output.',
  }),
};

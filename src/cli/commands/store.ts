import { resolve } from 'node:path';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import type { ApprovalPolicy } from '../../domain/approval/policy.ts';
import { counted } from '../../domain/text/counted.ts';
import { maskedUrl } from '../../domain/text/masked-url.ts';
import { unsignedActor } from '../../domain/approval/people.ts';
import { backUpStore } from '../../store/backup/write-backup.ts';
import { restoreStore } from '../../store/backup/restore-backup.ts';
import { checkStore } from '../../store/engine/check.ts';
import { migrate } from '../../store/engine/open.ts';
import type { Context } from '../context.ts';
import { printResult } from '../print/output.ts';
import { refuseAtServer } from '../server-place.ts';

type FileFlags = Readonly<{ file: string }>;

/** `bursar store migrate`: makes the tables of a store, or changes them to those of this version. */
export async function migrateStore(_flags: object, context: Context): Promise<number> {
  const { url, shown } = await storeOf(context);
  const changes = await migrate(url);
  const text =
    changes.length === 0
      ? `The store ${shown} is of this version.`
      : `The store ${shown} is of this version now, after ${counted(changes.length, 'change')}.`;
  printResult(context, {
    json: { schema: 'bursar.store-migration/v1', url: shown, changes },
    text,
  });
  return EXIT.done;
}

/** `bursar store check`: whether the store can be used, and whether it keeps what is committed. */
export async function checkStoreState(_flags: object, context: Context): Promise<number> {
  const { url, shown } = await storeOf(context);
  const found = await checkStore(url, () => context.clock.nowMs());
  const { missing, tooNew, faults } = found;
  const problems = [
    ...tooNew.map((name) => `It has the change "${name}" of a newer version. Start that version.`),
    ...missing.map((name) => `It lacks the change "${name}". Run: bursar store migrate`),
    ...faults.map(({ what, fix }) => `${what} ${fix}`),
  ];
  const json = { schema: 'bursar.store-check/v1', url: shown, ...found };
  const text =
    problems.length === 0
      ? `The store ${shown} is fine.`
      : [`The store ${shown}:`, ...problems].join('\n');
  printResult(context, { json, text });
  return problems.length === 0 ? EXIT.done : EXIT.usage;
}

/** `bursar store backup FILE`: copies the whole store into a new file, while programs go on. */
export async function backUp({ file }: FileFlags, context: Context): Promise<number> {
  const { url } = await storeOf(context);
  const path = resolve(context.cwd, file);
  const summary = await backUpStore(url, { path, atMs: context.clock.nowMs() });
  const json = { schema: 'bursar.store-backup-made/v1', file: path, ...summary };
  printResult(context, {
    json,
    text: `${counted(summary.rows, 'row')} of the store ${summary.storeId} are in ${path}.`,
  });
  return EXIT.done;
}

/** `bursar store restore FILE`: fills an empty store from a backup. */
export async function restore({ file }: FileFlags, context: Context): Promise<number> {
  const { url, shown, policy } = await storeOf(context);
  const path = resolve(context.cwd, file);
  const atMs = context.clock.nowMs();
  const actor = unsignedActor(policy, context.user);
  const summary = await restoreStore(url, { path, atMs, actor });
  const json = { schema: 'bursar.store-restored/v1', url: shown, ...summary };
  const text = [
    `The store ${shown} has the ${counted(summary.rows, 'row')} of the backup.`,
    'It is an older copy: batches search for each payment at the service before they send it.',
    'Start the worker, and run: bursar recover --store older',
  ].join('\n');
  printResult(context, { json, text });
  return EXIT.done;
}

type ConfiguredStore = Readonly<{ url: string; shown: string; policy: ApprovalPolicy | null }>;

/** `shown`: the address without a user. */
async function storeOf(context: Context): Promise<ConfiguredStore> {
  refuseAtServer(context, 'the store');
  const { open, env, cwd } = context;
  const { store, rules } = await open.settings({ env, cwd });
  return { url: store.url, shown: maskedUrl(store.url), policy: rules.approval };
}

import { counted } from '../../domain/text/counted.ts';
import { STEPS } from '../../domain/audit/actions.ts';
import type { ChainedEntry } from '../../domain/audit/chain.ts';
import { BursarError, noteOf } from '../../domain/errors/bursar-error.ts';
import { EXIT, exitCodeOfError } from '../../domain/errors/exit-codes.ts';
import type { AuditCheck } from '../../store/audit/log.ts';
import type { StoreParts } from '../../store/index.ts';
import { checkKeptHeads, type KeptHeads } from '../../operations/audit/kept-heads.ts';
import { withSourcesToRead } from '../../operations/batch/sources.ts';
import type { Context } from '../context.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { errorText } from '../print/error.ts';
import { instantText } from '../../operations/text/instants.ts';
import { printList } from '../print/output.ts';
import { printable } from '../terminal/printable.ts';

type AuditFlags = Readonly<{
  batch?: string;
  /** Whether the engine's own steps are listed, too. */
  all?: boolean;
}>;

/** `kept`: null: the settings name no second place. */
type LogCheck = AuditCheck & Readonly<{ kept: KeptHeads | null }>;

/** Entries that are read at once. */
const PAGE = 500;

/** `bursar audit [BATCH]`: lists every decision and try with its person, and checks that the log is unchanged. */
export async function audit(flags: AuditFlags, context: Context): Promise<number> {
  const which: Readonly<{ batchId?: string }> =
    flags.batch === undefined ? {} : { batchId: readBatchId(flags.batch) };
  return withSourcesToRead(context, ({ settings, store }) =>
    store.snapshot(async (moment) => {
      await refuseUnknown(moment, which.batchId);
      const { headUrl } = settings.audit;
      const kept = headUrl === undefined ? null : await checkKeptHeads(moment, headUrl);
      const check = { ...(await moment.audit.verify(which.batchId)), kept };
      const listed = entries(moment, { ...which, all: flags.all ?? false });
      await printList(context, listed, output(check, context));
      return conclude(check, context);
    }),
  );
}

/** Refuses an unknown id: its empty log would pass for a batch without decisions. */
async function refuseUnknown(
  { audit: log, batches }: StoreParts,
  batchId: string | undefined,
): Promise<void> {
  if (batchId === undefined || (await batches.find(batchId)) !== undefined) return;
  const known = await log.list({ batchId, limit: 1 });
  if (known.length === 0) throw new BursarError('BATCH_NOT_FOUND', { batchId });
}

async function* entries(
  { audit: log }: StoreParts,
  { all, ...which }: Readonly<{ batchId?: string; all: boolean }>,
): AsyncGenerator<ReturnType<typeof shown>> {
  const without = all ? [] : STEPS;
  for (let afterSeq = 0; ; ) {
    const page = await log.list({ ...which, afterSeq, without, limit: PAGE });
    yield* page.map(shown);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    afterSeq = last.seq;
  }
}

const shown = ({ atMs, ...entry }: ChainedEntry) => ({
  ...entry,
  at: new Date(atMs).toISOString(),
});

/** The result always states whether the log is whole. A broken log ends the command with an exit code of its own. */
function conclude({ entries: count, head, broken, kept }: LogCheck, context: Context): number {
  if (kept !== null) context.say(keptText(kept, context));
  if (broken === null && (kept?.problems.length ?? 0) > 0) return EXIT.tampered;
  if (broken === null) {
    context.say(
      `The log is whole: ${counted(count, 'entry', 'entries')}. Its end, to be kept elsewhere: ${head.seq}:${head.hash}`,
    );
    return EXIT.done;
  }
  const { seq, problem } = broken;
  const note = noteOf('AUDIT_BROKEN', { seq: String(seq), problem });
  context.say(errorText(note, context));
  return exitCodeOfError(note);
}

function keptText({ url, isReadable, compared, problems }: KeptHeads, context: Context): string {
  if (!isReadable) return `Heads of the log are sent to ${url}. Its receiver compares them.`;
  if (problems.length > 0) return problems.map((note) => errorText(note, context)).join('\n');
  return `The log has the ${counted(compared, 'head')} that ${url} keeps.`;
}

const output = ({ entries: count, head, broken, kept }: LogCheck, { clock }: Context) => ({
  schema: 'bursar.audit/v1',
  about: { whole: broken === null, checked: count, head, broken, kept },
  array: 'entries',
  lineSchema: 'bursar.audit-entry/v1',
  header: 'Entries of the audit log, the oldest first:',
  textOf: ({ seq, at, batchId, actor, action, detail }: ReturnType<typeof shown>): string => {
    const about = batchId === null ? '' : ` ${batchId}`;
    const what = `${seq}  ${instantText(at, clock)}  ${actor}: ${action}${about}`;
    return `${printable(what)}  ${printable(JSON.stringify(detail))}`;
  },
});

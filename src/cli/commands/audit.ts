import { readAuditLog } from '../../app/audit/log.ts';
import { auditSentence } from '../../domain/audit/sentences.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { noteOf } from '../../domain/errors/bursar-error.ts';
import { EXIT, exitCodeOfError } from '../../domain/errors/exit-codes.ts';
import { counted } from '../../domain/text/counted.ts';
import type { KeptHeads } from '../../operations/audit/kept-heads.ts';
import type { LogVerdict, LogEntry } from '../../operations/audit/read-log.ts';
import { instantText } from '../../operations/text/instants.ts';
import type { Context } from '../context.ts';
import { performList } from '../perform.ts';
import { errorText } from '../print/error.ts';
import { printList } from '../print/output.ts';
import { printable } from '../terminal/printable.ts';
import { wrappedLines } from '../terminal/wrapped-lines.ts';

type AuditFlags = Readonly<{
  batch?: string;
  /** Whether the engine's own steps are listed, too. */
  all?: boolean;
}>;

/** `bursar audit [BATCH]`: lists every decision and try with its person, and checks that the log is unchanged. */
export async function audit(flags: AuditFlags, context: Context): Promise<number> {
  const which = flags.batch === undefined ? {} : { batchId: readBatchId(flags.batch) };
  const choices = { ...which, all: flags.all ?? false };
  return performList(readAuditLog, choices, {
    context,
    async use({ about, items }) {
      const header = 'Entries of the audit log, the oldest first:';
      const text = { header, textOf: entryText(context) };
      await printList(context, items, { ...readAuditLog.names, about, ...text });
      return conclude(about, context);
    },
  });
}

/** The result always states whether the log is whole. A broken log ends the command with an exit code of its own. */
function conclude({ checked, head, broken, kept }: LogVerdict, context: Context): number {
  if (kept !== null) context.say(keptText(kept, context));
  if (broken === null && (kept?.problems.length ?? 0) > 0) return EXIT.tampered;
  if (broken === null) {
    context.say(
      `The log is whole: ${counted(checked, 'entry', 'entries')}. Its end, to be kept elsewhere: ${head.seq}:${head.hash}`,
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

/** The first columns of the lines below the first one. */
const INDENT = '    ';

const entryText =
  ({ clock, terminal }: Context) =>
  (entry: LogEntry): string =>
    [
      `${entry.seq}  ${instantText(entry.at, clock)}`,
      ...wrappedLines(printable(auditSentence(entry)), INDENT, terminal.out.columns),
    ].join('\n');

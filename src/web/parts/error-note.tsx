import type { FailureFacts } from '../api/call.ts';
import { useTexts } from '../shell/reader.tsx';
import { pageNote } from '../words/page-note.ts';
import { Said } from './said.tsx';

/** An error: what failed, the reason, and the remedy, in the sentences of the server or, where those are for the command line, of the page. */
export function ErrorNote({ what, error }: { what: string; error: FailureFacts | null }) {
  const t = useTexts();
  if (error === null) return null;
  const own = t.failures[error.code as keyof typeof t.failures];
  const { what: happened, detail, why, fix } = pageNote(error, t);
  const told = own?.map((text) => ({ text, isEnglish: false })) ?? [happened, detail, why, fix];
  const sentences = new Map(told.flatMap((one) => (one?.text ? [[one.text, one]] : [])));
  return (
    <div class="note bad" role="alert">
      <p>
        <strong>{what}</strong>
      </p>
      {[...sentences.values()].map((one) => (
        <p key={one.text}>
          <Said>{one}</Said>
        </p>
      ))}
      <p class="fine">
        {error.status === null ? error.code : `${error.code}, HTTP ${error.status}`}
      </p>
    </div>
  );
}

/** Shows a value when it is there, and else why it is not. */
export function Loading({ error, isEmpty }: { error: FailureFacts | null; isEmpty: boolean }) {
  const t = useTexts();
  if (error !== null) return <ErrorNote what={t.shell.notRead} error={error} />;
  return isEmpty ? (
    <p class="empty" role="status">
      {t.shell.loading}
    </p>
  ) : null;
}

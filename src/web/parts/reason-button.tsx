import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../api/use-action.ts';
import { useTexts } from '../shell/reader.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './error-note.tsx';
import { Field } from './field.tsx';

/** Characters of a reason, as the server takes them. */
export const REASON_MAX = 500;

type ReasonButtonProps = Readonly<{
  label: string;
  /** The object of the action, so that a screen reader can tell one button from another. */
  about: string;
  question: ComponentChildren;
  kind?: 'first' | 'plain' | 'danger';
  /** Does the action. Returns the text of the announcement. */
  work(reason: string): Promise<string>;
}>;

/** A button whose dialog takes a reason first. */
export function ReasonButton({ label, about, question, kind = 'plain', work }: ReasonButtonProps) {
  const t = useTexts();
  const action = useAction();
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const close = (): void => {
    setOpen(false);
    action.forget();
  };
  const send = async (): Promise<void> => {
    if (await action.run(() => work(reason.trim()))) {
      setOpen(false);
      setReason('');
    }
  };
  return (
    <>
      <button
        type="button"
        class={kind}
        aria-label={`${label} ${about}`}
        onClick={() => setOpen(true)}
      >
        {label}
      </button>
      {isOpen ? (
        <Dialog title={`${label}: ${about}`} onClose={close}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void send();
            }}
          >
            <div class="question">{question}</div>
            <Field label={t.acts.reason} hint={t.acts.reasonHint}>
              <textarea
                required
                rows={3}
                maxLength={REASON_MAX}
                value={reason}
                onInput={(event) => setReason(event.currentTarget.value)}
              />
            </Field>
            <ErrorNote what={t.acts.notDone} error={action.error} />
            <div class="dialog-actions">
              <button type="button" onClick={close}>
                {t.acts.close}
              </button>
              <button
                type="submit"
                class={kind === 'danger' ? 'danger' : 'first'}
                aria-disabled={action.isRunning}
              >
                {label}
              </button>
            </div>
          </form>
        </Dialog>
      ) : null}
    </>
  );
}

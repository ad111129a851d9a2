import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useAction } from '../api/use-action.ts';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './error-note.tsx';

export type ActionButtonProps = Readonly<{
  label: string;
  /** The object of the action, so that a screen reader can tell one button from another. */
  about?: string;
  /** Does the action. Returns the text of the announcement. */
  work(): Promise<string>;
  /** The question of a dialog before the action. */
  question?: ComponentChildren;
  kind?: 'first' | 'plain' | 'danger';
}>;

/** A button for an action. With a question it opens a dialog first. */
export function ActionButton({ label, about, work, question, kind = 'plain' }: ActionButtonProps) {
  const [isQuestionOpen, setQuestionOpen] = useState(false);
  const action = useAction();
  const button = useRef<HTMLButtonElement>(null);
  useFocusKept(button);
  const name = about === undefined ? label : `${label} ${about}`;
  const close = (): void => {
    setQuestionOpen(false);
    action.forget();
  };
  const start = (): void => {
    if (question === undefined) void action.run(work);
    else setQuestionOpen(true);
  };
  const confirm = async (): Promise<void> => {
    if (await action.run(work)) setQuestionOpen(false);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={kind}
        aria-label={about === undefined ? undefined : name}
        aria-disabled={action.isRunning}
        onClick={start}
      >
        {label}
      </button>
      {question === undefined && action.error !== null ? (
        <Dialog title={`${label}: not done`} onClose={close}>
          <ErrorNote what="Not done." error={action.error} />
          <DialogActions onClose={close} closeLabel="Close" />
        </Dialog>
      ) : null}
      {isQuestionOpen ? (
        <Dialog title={`${name}?`} onClose={close}>
          <div class="question">{question}</div>
          <ErrorNote what="Not done." error={action.error} />
          <DialogActions onClose={close} closeLabel="Cancel">
            <button
              type="button"
              class={kind === 'danger' ? 'danger' : 'first'}
              aria-disabled={action.isRunning}
              onClick={() => void confirm()}
            >
              {label}
            </button>
          </DialogActions>
        </Dialog>
      ) : null}
    </>
  );
}

/**
 * Moves the focus to the page when an action removes its own button, so that a keyboard user stays
 * on the page.
 */
function useFocusKept(button: RefObject<HTMLButtonElement | null>): void {
  useLayoutEffect(() => {
    const { current } = button;
    return () => {
      if (document.activeElement === current) document.querySelector('main')?.focus();
    };
  }, []);
}

type DialogActionsProps = Readonly<{
  onClose(): void;
  closeLabel: string;
  children?: ComponentChildren;
}>;

export const DialogActions = ({ onClose, closeLabel, children }: DialogActionsProps) => (
  <div class="dialog-actions">
    <button type="button" onClick={onClose}>
      {closeLabel}
    </button>
    {children}
  </div>
);

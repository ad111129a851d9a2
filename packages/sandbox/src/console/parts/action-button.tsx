import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useAction } from '../api/use-action.ts';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './error-note.tsx';

export type ActButtonProps = Readonly<{
  label: string;
  /** Names what it is done to, for people who hear one button among many. */
  about?: string;
  /** Does it, and answers with what was done. */
  work(): Promise<string>;
  /** Asked before it is done. */
  question?: ComponentChildren;
  kind?: 'first' | 'plain' | 'danger';
}>;

/** A button that does something; with a question it asks first. */
export function ActionButton({ label, about, work, question, kind = 'plain' }: ActButtonProps) {
  const [isAsked, setAsked] = useState(false);
  const act = useAction();
  const button = useRef<HTMLButtonElement>(null);
  useFocusKept(button);
  const name = about === undefined ? label : `${label} ${about}`;
  const close = (): void => {
    setAsked(false);
    act.forget();
  };
  const start = (): void => {
    if (question === undefined) void act.run(work);
    else setAsked(true);
  };
  const confirm = async (): Promise<void> => {
    if (await act.run(work)) setAsked(false);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={kind}
        aria-label={about === undefined ? undefined : name}
        aria-disabled={act.isRunning}
        onClick={start}
      >
        {label}
      </button>
      {question === undefined && act.error !== null ? (
        <Dialog title={`${label}: not done`} onClose={close}>
          <ErrorNote what="Not done." error={act.error} />
          <DialogActions onClose={close} closeLabel="Close" />
        </Dialog>
      ) : null}
      {isAsked ? (
        <Dialog title={`${name}?`} onClose={close}>
          <div class="question">{question}</div>
          <ErrorNote what="Not done." error={act.error} />
          <DialogActions onClose={close} closeLabel="Cancel">
            <button
              type="button"
              class={kind === 'danger' ? 'danger' : 'first'}
              aria-disabled={act.isRunning}
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

/** Whoever acts by keyboard stays on the page when the act takes its own button away. */
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

import type { ComponentChildren } from 'preact';
import { useAction } from '../api/use-action.ts';
import { ErrorNote } from './error-note.tsx';

export type ActFormProps = Readonly<{
  /** Names the form to screen readers. */
  label: string;
  submit: string;
  /** Sends what was filled in, and answers with what was done. */
  send(fields: FormFields): Promise<string>;
  onDone?(): void;
  isKept?: boolean;
  children: ComponentChildren;
  more?: ComponentChildren;
}>;

/** The text of a field; empty where it was left empty or is not there. */
export type FormFields = Readonly<{
  text(name: string): string;
  /** Undefined where it is empty, so that it is left out of JSON. */
  given(name: string): string | undefined;
  all(name: string): readonly string[];
}>;

/** A form that does something; it is emptied when that worked, unless it is kept. */
export function ActionForm({ label, submit, send, onDone, isKept, children, more }: ActFormProps) {
  const act = useAction();
  const start = async (form: HTMLFormElement): Promise<void> => {
    if (!(await act.run(() => send(fieldsOf(form))))) return;
    if (isKept !== true) form.reset();
    onDone?.();
  };
  return (
    <form
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        void start(event.currentTarget);
      }}
    >
      <div class="fields">{children}</div>
      <ErrorNote what="Not done." error={act.error} />
      <div class="form-actions">
        {more}
        <button type="submit" class="first" aria-disabled={act.isRunning}>
          {submit}
        </button>
      </div>
    </form>
  );
}

function fieldsOf(form: HTMLFormElement): FormFields {
  const data = new FormData(form);
  const all = (name: string): string[] =>
    data.getAll(name).map((value) => (typeof value === 'string' ? value.trim() : ''));
  const text = (name: string): string => all(name)[0] ?? '';
  return { all, text, given: (name) => text(name) || undefined };
}

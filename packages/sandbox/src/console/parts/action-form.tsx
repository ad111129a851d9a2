import type { ComponentChildren } from 'preact';
import { useAction } from '../api/use-action.ts';
import { ErrorNote } from './error-note.tsx';

export type ActionFormProps = Readonly<{
  /** The name of the form for screen readers. */
  label: string;
  submit: string;
  /** Sends the fields. Returns the text of the announcement. */
  send(fields: FormFields): Promise<string>;
  onDone?(): void;
  isKept?: boolean;
  children: ComponentChildren;
  more?: ComponentChildren;
}>;

/** The text of a field. Empty when the field is empty or missing. */
export type FormFields = Readonly<{
  text(name: string): string;
  /** Undefined when the field is empty, so that JSON leaves it out. */
  given(name: string): string | undefined;
  all(name: string): readonly string[];
}>;

/** A form for an action. A success clears it, unless `isKept` is set. */
export function ActionForm({
  label,
  submit,
  send,
  onDone,
  isKept,
  children,
  more,
}: ActionFormProps) {
  const action = useAction();
  const start = async (form: HTMLFormElement): Promise<void> => {
    if (!(await action.run(() => send(fieldsOf(form))))) return;
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
      <ErrorNote what="Not done." error={action.error} />
      <div class="form-actions">
        {more}
        <button type="submit" class="first" aria-disabled={action.isRunning}>
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

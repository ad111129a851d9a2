import { cloneElement, type ComponentChildren, type VNode } from 'preact';
import { useId } from 'preact/hooks';

type FieldProps = Readonly<{
  label: ComponentChildren;
  hint?: ComponentChildren;
  error?: string | undefined;
  /** The input, select or textarea. */
  children: VNode<{ id?: string; 'aria-describedby'?: string; 'aria-invalid'?: boolean }>;
}>;

/** A control with its label, a hint, and the error of its value. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const notes = [hint === undefined ? [] : `${id}-hint`, error === undefined ? [] : `${id}-error`];
  const described = notes.flat().join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {cloneElement(children, {
        id,
        ...(described === '' ? {} : { 'aria-describedby': described }),
        ...(error === undefined ? {} : { 'aria-invalid': true }),
      })}
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error === undefined ? null : (
        <p class="hint wrong" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

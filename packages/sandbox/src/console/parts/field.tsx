import { cloneElement, type VNode } from 'preact';
import { useId } from 'preact/hooks';

export type FieldProps = Readonly<{
  label: string;
  hint?: string | undefined;
  /** The input, select or textarea. */
  children: VNode<{ id?: string; 'aria-describedby'?: string }>;
}>;

/** A control with its label and a hint. */
export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const described = hint === undefined ? {} : { 'aria-describedby': hintId };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {cloneElement(children, { id, ...described })}
      {hint === undefined ? null : (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}

export type SelectProps = Readonly<{
  options: readonly string[];
  /** The name of the empty choice, if there is one. */
  none?: string;
  value?: string;
  name?: string;
  id?: string;
  'aria-label'?: string;
  'aria-describedby'?: string;
  onChoose?(value: string): void;
}>;

/** Each option has its own `selected`, so that options may load after the choice was made. */
export const Select = ({ options, none, onChoose, value, ...rest }: SelectProps) => (
  <select {...rest} onChange={(event) => onChoose?.(event.currentTarget.value)}>
    {none === undefined ? null : (
      <option value="" selected={value === ''}>
        {none}
      </option>
    )}
    {options.map((option) => (
      <option key={option} value={option} selected={option === value}>
        {option}
      </option>
    ))}
  </select>
);

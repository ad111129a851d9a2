/**
 * A secret that the service gave us. It prints as `[secret]` in logs, JSON and errors.
 */
export type SecretString = Readonly<{
  /** The secret itself. Call it where the secret is stored or used, and keep no copy. */
  reveal(): string;
  toString(): string;
  toJSON(): string;
}>;

const HIDDEN = '[secret]';
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** Hides a text from everything that prints values by itself. */
export function secretString(text: string): SecretString {
  const hide = () => HIDDEN;
  return Object.freeze({ reveal: () => text, toString: hide, toJSON: hide, [INSPECT]: hide });
}

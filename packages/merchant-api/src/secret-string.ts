/** A secret from the service. It prints as `[secret]` in logs, JSON and errors. */
export type SecretString = {
  /** Returns the secret. Call it where you store or use the secret, and keep no copy. */
  reveal(): string;
  /** Returns `[secret]`. */
  toString(): string;
  /** Returns `[secret]`. */
  toJSON(): string;
};

const HIDDEN = '[secret]';
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** Hides a text from every function that prints values. */
export function secretString(text: string): SecretString {
  const hide = () => HIDDEN;
  return Object.freeze({ reveal: () => text, toString: hide, toJSON: hide, [INSPECT]: hide });
}

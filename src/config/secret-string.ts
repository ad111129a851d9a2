/** A secret that prints as `[secret]` wherever it ends up by mistake: logs, JSON, errors, the console. */
export type SecretString = Readonly<{
  /** The secret itself. Call it where the secret is used, and keep the result in no variable that lives on. */
  reveal(): string;
}>;

const HIDDEN = '[secret]';
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

export function secretString(text: string): SecretString {
  const hide = () => HIDDEN;
  return Object.freeze({
    reveal: () => text,
    toString: hide,
    toJSON: hide,
    [INSPECT]: hide,
  });
}

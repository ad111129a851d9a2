/** Invisible characters, and characters that change the direction of the text. In a payment they can hide a fraud. */
const INVISIBLE = /([\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\u3164\u115f\u1160])/u;

/** Text of others. It cannot change the direction of the page, and its invisible characters are named. */
export function Text({ children: text }: { children: string }) {
  const parts = text.split(INVISIBLE);
  return (
    <bdi class="text">
      {parts.map((part, at) => (at % 2 === 0 ? part : <Invisible key={at} character={part} />))}
    </bdi>
  );
}

function Invisible({ character }: { character: string }) {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return <span class="invisible">U+{code}</span>;
}

/** A text that may be missing. */
export const TextOrNone = ({ children }: { children: string | null }) =>
  children === null || children === '' ? <None /> : <Text>{children}</Text>;

/** The sign for a missing value. */
export const None = () => <span class="none">–</span>;

/** A long value, such as an address or a hash, that may break anywhere. */
export const Code = ({ children }: { children: string }) =>
  children === '' ? (
    <None />
  ) : (
    <span class="code">
      <Text>{children}</Text>
    </span>
  );

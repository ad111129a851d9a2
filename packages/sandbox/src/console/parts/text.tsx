import { Fragment } from 'preact';

/**
 * Characters that nobody sees or that turn the direction of what follows; in a payment they are a
 * reason to look twice.
 */
const INVISIBLE = /([\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\u3164\u115f\u1160])/u;

/** What somebody else wrote, isolated from the direction of the page, with invisible characters named. */
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
  return (
    <span class="invisible" title="An invisible character">
      U+{code}
    </span>
  );
}

/** A word of the service or the sandbox, such as MASS_CREATE, which may go on in a new line after each underscore. */
export const Word = ({ children: word }: { children: string }) => (
  <span class="word">
    {word.split(/(?<=_)/).map((part, at) => (
      <Fragment key={at}>
        {at === 0 ? null : <wbr />}
        {part}
      </Fragment>
    ))}
  </span>
);

/** A text that may be missing. */
export const TextOrNone = ({ children }: { children: string | null }) =>
  children === null || children === '' ? <None /> : <Text>{children}</Text>;

/** Nothing is known here. */
export const None = () => (
  <span class="none" aria-label="none">
    –
  </span>
);

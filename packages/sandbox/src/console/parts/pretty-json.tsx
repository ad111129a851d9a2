const INDENT = '  ';

/**
 * JSON with line breaks, made from its text alone: numbers stay as they were written, and what is no
 * JSON stays as it is.
 */
export function prettyJson(text: string): string {
  let depth = 0;
  const line = (): string => `\n${INDENT.repeat(Math.max(0, depth))}`;
  const tokens = text.match(TOKENS) ?? [];
  const show = (token: string, at: number): string => {
    switch (token) {
      case '{':
      case '[':
        depth += 1;
        return CLOSING.has(tokens[at + 1] ?? '') ? token : `${token}${line()}`;
      case '}':
      case ']':
        depth -= 1;
        return OPENING.has(tokens[at - 1] ?? '') ? token : `${line()}${token}`;
      case ',':
        return `,${line()}`;
      case ':':
        return ': ';
      default:
        return token;
    }
  };
  return tokens.map(show).join('');
}

/** Strings, marks, and what stands between them; white space is left out. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+|"/g;

const OPENING: ReadonlySet<string> = new Set(['{', '[']);
const CLOSING: ReadonlySet<string> = new Set(['}', ']']);

export const PrettyJson = ({ text, label }: { text: string; label: string }) => (
  // A long line scrolls inside, and only what has the focus scrolls by keys.
  <pre class="json" tabIndex={0} aria-label={label} role="region">
    <bdi>{prettyJson(text)}</bdi>
  </pre>
);

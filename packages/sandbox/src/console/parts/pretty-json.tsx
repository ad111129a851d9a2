const INDENT = '  ';

/**
 * Adds line breaks to the text of JSON. It does not parse it, so numbers keep their digits, and
 * other text stays unchanged.
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

/** Strings, punctuation, and the text between them. White space is left out. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+|"/g;

const OPENING: ReadonlySet<string> = new Set(['{', '[']);
const CLOSING: ReadonlySet<string> = new Set(['}', ']']);

export const PrettyJson = ({ text, label }: { text: string; label: string }) => (
  // A long line scrolls inside. Without the focus, keys could not scroll it.
  <pre class="json" tabIndex={0} aria-label={label} role="region">
    <bdi>{prettyJson(text)}</bdi>
  </pre>
);

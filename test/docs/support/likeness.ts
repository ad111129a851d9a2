/**
 * Things of which every reader has others than the book shows. One that is `named` stands for the reader's own wherever the
 * book names it again: in commands, in files, in other outputs.
 */
const THINGS = {
  time: { like: /\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d UTC)?/, named: false },
  run: { like: /\d{4}-\d\d-\d\dT\d\d:\d\d(?![:\d])/, named: true },
  date: { like: /\d{4}-\d\d-\d\d(?!\d)/, named: true },
  digest: { like: /sha256:[0-9a-f]{64}/, named: true },
  hash: { like: /\b[0-9a-f]{64}\b/, named: false },
  id: { like: /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, named: true },
  publicKey: { like: /ed25519:[A-Za-z0-9+/]{43}=/, named: true },
  place: { like: /127\.0\.0\.1:\d+/, named: false },
} as const satisfies Readonly<Record<string, Thing>>;

type Thing = Readonly<{ like: RegExp; named: boolean }>;

const ANY_THING = new RegExp(
  Object.entries(THINGS)
    .map(([name, { like }]) => `(?<${name}>${like.source})`)
    .join('|'),
  'g',
);

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** What a reader has in place of what the book shows. */
export function createLikeness() {
  const own = new Map<string, string>();

  /** A text of the book as this reader has it. */
  function translated(text: string): string {
    if (own.size === 0) return text;
    const longestFirst = [...own.keys()].toSorted((one, other) => other.length - one.length);
    const anyName = new RegExp(longestFirst.map(escaped).join('|'), 'g');
    return text.replaceAll(anyName, (shown) => own.get(shown) ?? shown);
  }

  return {
    translated,
    learn: (shown: string, actual: string): void => void own.set(shown, actual),
    /**
     * Whether an output is what the book shows: line by line, but for the width of gaps. `...` stands for anything in its line,
     * and as a line of its own for any lines. Names that are new are learnt from an output that fits.
     */
    fits(shown: string, output: string): boolean {
      const learnt: string[] = [];
      const known = new Set(own.values());
      const lines = translated(shown.trim()).split('\n');
      const pattern = lines.map((line) => linePattern(line, known, learnt)).join('');
      const found = new RegExp(`^${pattern}$`).exec(`${output.trim().replaceAll(/ +$/gm, '')}\n`);
      if (found === null) return false;
      for (const [i, name] of learnt.entries()) own.set(name, found[i + 1] ?? '');
      return true;
    },
  };
}

/** A pattern for one line and its end. Names that are not known are put into `learnt`, in the order of their groups. */
function linePattern(line: string, known: ReadonlySet<string>, learnt: string[]): string {
  const text = line.trimEnd();
  if (text.trim() === '...') return '(?:.*\\n)*?';
  let pattern = '';
  let at = 0;
  for (const found of text.matchAll(ANY_THING)) {
    pattern += plainPattern(text.slice(at, found.index)) + thingPattern(found, known, learnt);
    at = found.index + found[0].length;
  }
  return `${pattern}${plainPattern(text.slice(at))}\\n`;
}

const plainPattern = (text: string): string =>
  text
    .split('...')
    .map((piece) => escaped(piece).replaceAll(/ +/g, ' +'))
    .join('.*');

function thingPattern(
  { 0: shown, groups = {} }: RegExpMatchArray,
  known: ReadonlySet<string>,
  learnt: string[],
): string {
  const [name] = Object.entries(groups).find(([, text]) => text !== undefined) ?? [];
  const { like, named }: Thing = THINGS[name as keyof typeof THINGS];
  if (!named) return `(?:${like.source})`;
  if (known.has(shown)) return escaped(shown);
  const before = learnt.indexOf(shown);
  if (before >= 0) return `(?:\\${before + 1})`;
  learnt.push(shown);
  return `(${like.source})`;
}

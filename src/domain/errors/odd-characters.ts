/** Ranges of code points, each with its last one, and the kind of such a character. */
type Kind = readonly [ranges: readonly (readonly [number, number])[], kind: CharacterKind];

const WHAT = {
  blank: 'A space, tab or line break came in when the value was copied or wrapped.',
  space: 'It is a special space from a web page, a PDF file or a spreadsheet.',
  direction: 'It changes the direction of text, so characters are shown in another order.',
  invisible: 'You cannot see it. It comes with text that is copied from a web page or a chat.',
  dots: 'The dots replace characters that were left out.',
  lost: 'It replaces a character that was lost when a file was converted.',
  digit: 'It is a digit of another script.',
  dash: 'It is a dash that a word processor put in place of a hyphen.',
  quote: 'It is a quote that a word processor put in place of a straight one.',
  other: 'Characters like this make two values that look the same differ.',
} as const;

/** The kind of an unexpected character; `other`: none of the known kinds. */
export type CharacterKind = keyof typeof WHAT;

const KINDS: readonly Kind[] = [
  [
    [
      [0x20, 0x20],
      [0x9, 0xd],
    ],
    'blank',
  ],
  [
    [
      [0x85, 0x85],
      [0xa0, 0xa0],
      [0x1680, 0x1680],
      [0x2000, 0x200a],
      [0x2028, 0x2029],
      [0x202f, 0x202f],
      [0x205f, 0x205f],
      [0x3000, 0x3000],
    ],
    'space',
  ],
  [
    [
      [0x61c, 0x61c],
      [0x200e, 0x200f],
      [0x202a, 0x202e],
      [0x2066, 0x2069],
    ],
    'direction',
  ],
  [
    [
      [0x0, 0x1f],
      [0x7f, 0x9f],
      [0xad, 0xad],
      [0x34f, 0x34f],
      [0x180e, 0x180e],
      [0x200b, 0x200d],
      [0x2060, 0x2065],
      [0xfe00, 0xfe0f],
      [0xfeff, 0xfeff],
      [0xe0000, 0xe0fff],
    ],
    'invisible',
  ],
  [[[0x2026, 0x2026]], 'dots'],
  [[[0xfffd, 0xfffd]], 'lost'],
  [
    [
      [0x660, 0x669],
      [0x6f0, 0x6f9],
      [0x966, 0x96f],
    ],
    'digit',
  ],
  [
    [
      [0x2010, 0x2015],
      [0x2212, 0x2212],
    ],
    'dash',
  ],
  [
    [
      [0x2018, 0x201f],
      [0x2032, 0x2033],
    ],
    'quote',
  ],
];

/** Letters of other alphabets, and the Latin letter that each resembles. */
const TWINS: ReadonlyMap<number, string> = new Map(
  [
    // Cyrillic
    [
      'ABEKMHOPCTYXSIJ',
      '\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0405\u0406\u0408',
    ],
    [
      'aeopcyxsijhdqwl',
      '\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u04bb\u0501\u051b\u051d\u04cf',
    ],
    ['kmtbr', '\u043a\u043c\u0442\u0432\u0433'],
    // Greek
    [
      'ABEZHIKMNOPTYX',
      '\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7',
    ],
    ['ovaikpu', '\u03bf\u03bd\u03b1\u03b9\u03ba\u03c1\u03c5'],
    // Armenian, and Latin letters of other languages
    ['ouagi', '\u0585\u057d\u0251\u0261\u0131'],
  ].flatMap(([latin = '', twins = '']) =>
    [...twins].map((twin, i) => [twin.codePointAt(0) ?? 0, latin.charAt(i)] as const),
  ),
);

const WIDE_FIRST = 0xff01;
const WIDE_LAST = 0xff5e;
/** How far the wide form of a character lies from the plain one. */
const WIDE_DISTANCE = 0xfee0;

/** The meaning of an unexpected character, by its code as in `U+00A0`; one sentence. */
export function whatCharacter(code: string): string {
  const { twin, kind } = characterOf(code);
  return twin === undefined ? WHAT[kind] : `It looks like "${twin}" and is another character.`;
}

/** The kind of a character by its code as in `U+00A0`. `twin`: the plain character that it looks like. */
export function characterOf(code: string): Readonly<{ kind: CharacterKind; twin?: string }> {
  const point = Number.parseInt(code.slice(2), 16);
  const twin = twinOf(point);
  if (twin !== undefined) return { kind: 'other', twin };
  const kind = KINDS.find(([ranges]) => ranges.some(([from, to]) => point >= from && point <= to));
  return { kind: kind?.[1] ?? 'other' };
}

const twinOf = (point: number): string | undefined =>
  point >= WIDE_FIRST && point <= WIDE_LAST
    ? String.fromCodePoint(point - WIDE_DISTANCE)
    : TWINS.get(point);

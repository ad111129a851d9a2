import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { growthOf, type Pattern, patternsIn, repeatsChoice } from './regular-expressions.ts';
import { ROOT, read, sourceFiles } from './repository.ts';

const modules = sourceFiles().map((path) => ({
  path,
  ...patternsIn(read(path), path.replace(/^src\//, '')),
}));
const literals = modules.flatMap((module) => module.literals);

/** Characters to which a pattern may be given whose time grows as the square of them: a million steps are a millisecond. */
const CHARS_MAX = 1_000;

/** Patterns whose time grows as the square of a text, how long that can become, and what sees to it. */
const BOUNDED: readonly (readonly [pattern: string, chars: number, why: string])[] = [
  ['operations/file/plan-of.ts /^[^A-Za-z0-9]+|-+$/g', 255, 'the name of a file'],
  ['operations/support/redact.ts /=+$/', 2, 'what base64 ends with; nothing else in it is a "="'],
  ['domain/addresses/damage.ts /^[1-9]\\d{14,}0{9,}$/', 128, 'ADDRESS_CHARS_MAX, in checkAddress'],
  ['domain/addresses/damage.ts /^[1-9A-Za-z]*[0OIl][0-9A-Za-z]*$/', 128, 'the same'],
  ['domain/money/signed-amount.ts /0+$/', 36, 'FRACTION_DIGITS_MAX, in the pattern before it'],
  ['domain/plan/magnitude.ts /0+$/', 7, 'digits that a magnitude has'],
  ['domain/rows/total-row.ts /[ :=.]+$/', 30, 'WORD_CHARS_MAX'],
  [
    'ingest/workbook/number-formats.ts /"[^"]*"|\\\\.|_.|\\*.|\\[(?!h+\\]|m+\\]|s+\\])[^\\]]*\\]/gi',
    255,
    'CODE_CHARS_MAX',
  ],
  // A count has 16 digits at most.
  ['domain/text/counted.ts /\\B(?=(?:\\d{3})+$)/g', 48, 'the pattern before it in groupedAmount'],
  ['domain/webhooks/hook-address.ts /\\/\\/[^@]*@/', 2, 'one // in the part before the path'],
  ['packages/conformance/src/interface-user.ts /\\/+$/', 1_000, 'an address on the command line'],
  ['packages/conformance/src/receiver.ts /\\/+$/', 1_000, 'the same'],
  ['packages/conformance/src/service.ts /\\/+$/', 1_000, 'the same'],
  ['packages/merchant-api/src/json/decimal.ts /0+$/', 300, 'DECIMAL_LENGTH_MAX and EXPONENT_MAX'],
  ['packages/sandbox/src/http/answer-format.ts /0+$/', 80, 'DIGITS_MAX before and after the point'],
];

/** Patterns that choose anew in every round of a group, and why there is only one choice that can be right. */
const CHOOSING: readonly (readonly [pattern: string, why: string])[] = [
  [
    'ingest/control-line.ts /^(?:[ ,;\\t]*\\n)+/',
    'a round ends at a line feed, which no member of the class is',
  ],
  [
    'operations/support/redact.ts /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[a-z]+(?:[_-][a-z]+)*|[A-Z_]+)$/',
    'a round starts with _ or -, which no letter is',
  ],
  ['domain/schedule/zone.ts /^[A-Za-z_]+(\\/[A-Za-z0-9_+-]+)+$/', 'a round starts with a slash'],
  [
    'report/read-sheet.ts /,(?:"([^"]*(?:""[^"]*)*)"|([^,]*))/g',
    'a round starts with a quote, and nothing else in it is one',
  ],
  [
    'packages/sandbox/src/console/parts/pretty-json.tsx /"(?:[^"\\\\]|\\\\.)*"|[{}[\\],:]|[^\\s{}[\\],:"]+|"/g',
    'only one of the two starts with a backslash',
  ],
];

const shown = ({ file, source, flags }: Pattern): string => `${file} /${source}/${flags}`;

describe('the regular expressions of src', () => {
  it('take time in proportion to a text, but for those that only see short ones', () => {
    expect(literals.length).toBeGreaterThan(200);
    const slow = literals.filter((pattern) => growthOf(pattern) !== 'linear');
    expect(slow.map(shown).sort()).toEqual(BOUNDED.map(([pattern]) => pattern).sort());
    for (const [, chars] of BOUNDED) expect(chars).toBeLessThanOrEqual(CHARS_MAX);
  });

  it('never take time that grows faster than the square', () => {
    expect(literals.filter((pattern) => growthOf(pattern) === 'exponential')).toEqual([]);
    const choosing = literals.filter(repeatsChoice);
    expect(choosing.map(shown).sort()).toEqual(CHOOSING.map(([pattern]) => pattern).sort());
  });

  it('are no slower where they are made from text', async () => {
    const makers = modules.filter(({ made }) => made > 0);
    const made = await whileNoted(async () => {
      for (const { path } of makers) await import(join(ROOT, path));
      // Its users say how many columns a line has.
      await import(join(ROOT, 'src/report/row-sheets.ts'));
    });
    expect(made.length).toBeGreaterThanOrEqual(
      makers.reduce((sum, module) => sum + module.made, 0),
    );
    expect(made.filter((pattern) => growthOf(pattern) !== 'linear')).toEqual([]);
  });
});

/** Every regular expression that is made from text meanwhile. */
async function whileNoted(work: () => Promise<void>): Promise<RegExp[]> {
  const noted: RegExp[] = [];
  const Original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Original, {
    construct(target, args: [string, string?]) {
      const made = new target(...args);
      noted.push(made);
      return made;
    },
  });
  try {
    await work();
  } finally {
    globalThis.RegExp = Original;
  }
  return noted;
}

describe('the check of regular expressions', () => {
  it.each([
    ['(a+)+$', 'exponential'],
    ['a+$', 'polynomial'],
    ['^a*a*$', 'polynomial'],
    [';(?=\\s*=)', 'linear'],
    ['[;\\t](?=\\s*=)', 'polynomial'],
    ['^(?:a|b)+$', 'linear'],
    ['(?<!a)a+$', 'linear'],
  ])('judges /%s/: %s', (source, growth) => {
    expect(growthOf({ source, flags: '' })).toBe(growth);
  });

  it.each(['^(?:a|aa)+$', '^(?:a?a)+$', '^(?:a{1,2})+$', 'x(?:(?:a|ab)b?)*y', '(?:\\d{1,3},?)+'])(
    'sees that /%s/ chooses in every round',
    (source) => {
      expect(repeatsChoice({ source, flags: '' })).toBe(true);
      expect(repeatsChoice({ source: `^(?:a|b)c+(?:de){2}(?:fg)*$`, flags: '' })).toBe(false);
    },
  );

  it('finds them wherever they stand in a module', () => {
    const code = 'const a = { b: [/x+/g] }; function f() { return new RegExp(a) ?? RegExp("y"); }';
    const { literals: found, made } = patternsIn(code, 'a.ts');
    expect(found).toEqual([{ file: 'a.ts', source: 'x+', flags: 'g' }]);
    expect(made).toBe(2);
  });
});

import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { type Node, parseSync } from '@swc/core';
import { analyse } from 'scslre';

/** A regular expression. */
type Expression = Readonly<{ source: string; flags: string }>;

/** A regular expression, and the file in which it stands. */
export type Pattern = Expression & Readonly<{ file: string }>;

/** The regular expressions that a module has as literals, and how many more it makes from text. */
export type PatternsOfModule = Readonly<{ literals: readonly Pattern[]; made: number }>;

export function patternsIn(code: string, file: string): PatternsOfModule {
  const literals: Pattern[] = [];
  let made = 0;
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = value as Readonly<Record<string, unknown>> & Partial<Node>;
    if (node.type === 'RegExpLiteral') {
      literals.push({ file, source: String(node['pattern']), flags: String(node['flags']) });
    }
    if (node.type === 'NewExpression' || node.type === 'CallExpression') {
      const { value: name } = (node['callee'] ?? {}) as { value?: unknown };
      if (name === 'RegExp') made += 1;
    }
    Object.values(node).forEach(visit);
  };
  visit(parseSync(code, { syntax: 'typescript', tsx: file.endsWith('x'), target: 'es2022' }).body);
  return { literals, made };
}

/**
 * How much longer a pattern may take than its text is: `linear`, `polynomial` (as its square, in all that we have), or
 * `exponential`.
 */
export function growthOf({ source, flags }: Expression) {
  const { reports } = analyse({ source, flags }, { assumeRejectingSuffix: false });
  if (reports.some(({ exponential }) => exponential)) return 'exponential';
  return reports.length === 0 ? 'linear' : 'polynomial';
}

/** Rounds of a group beyond which the ways to go through them are too many to try. */
const ROUNDS_MAX = 10;

/**
 * Whether a group that is repeated holds a choice: alternatives, or a part that may be there or not, or several times.
 * Without one each of its rounds takes one way, so that no pattern without such a group is exponential; with one it
 * depends on what the parts take, which the analysis sees in some and not in all.
 */
export function repeatsChoice({ source, flags }: Expression): boolean {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
  });
  let repeated = 0;
  let found = false;
  const repeatsGroup = ({ element, max }: AST.Quantifier): boolean =>
    max > ROUNDS_MAX && (element.type === 'Group' || element.type === 'CapturingGroup');
  visitRegExpAST(pattern, {
    onQuantifierEnter(quantifier) {
      found ||= repeated > 0 && quantifier.min !== quantifier.max;
      if (repeatsGroup(quantifier)) repeated += 1;
    },
    onQuantifierLeave(quantifier) {
      if (repeatsGroup(quantifier)) repeated -= 1;
    },
    onAlternativeEnter({ parent }) {
      found ||= repeated > 0 && parent.alternatives.length > 1;
    },
  });
  return found;
}

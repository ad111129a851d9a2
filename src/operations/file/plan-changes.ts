import type { CurrencyTotal } from '../../domain/money/currency-total.ts';
import type { PlanPart } from '../../domain/plan/digest.ts';
import { changedParts, PART_NAMES } from '../../domain/plan/expected-plan.ts';
import type { RulesInWords } from '../../domain/plan/rules-in-words.ts';
import { amountText, moneyText } from '../../domain/text/money-text.ts';
import type { PlanFile } from './plan-schema.ts';
import type { PlanView } from './plan-view.ts';

/** Digits of a hash that are enough for a person to see that it is another one. */
const HASH_DIGITS = 12;

type Words = (before: PlanFile, after: PlanView) => readonly string[];

/** How the change of a part is written, from the texts of the part. */
const WORDS: Partial<Record<PlanPart, Words>> = {
  account: (before, after) => step('the account', before.account, after.account ?? 'none is set'),
  file: ({ file }, after) =>
    step('the file', short(file.sha256), short(after.file.sha256)).map(
      (text) => `${text} (sha256)`,
    ),
  rows: (before, after) => [
    ...step('rows', before.rows.total, after.rows.total),
    ...step('refused rows', before.rows.refused, after.rows.refused),
    ...totalSteps(before.currencies, after.currencies),
  ],
  findings: (before, after) => findingSteps(before.findings, after.findings),
  approval: ({ rules }, after) => sentenceSteps('approval', policyOf(rules), policyOf(after.rules)),
  findingRules: ({ rules }, after) =>
    sentenceSteps('findingRules', rules.findings, after.rules.findings),
  limits: ({ rules }, after) => sentenceSteps('limits', rules.limits, after.rules.limits),
  feeRules: ({ rules }, after) => sentenceSteps('feeRules', rules.fees, after.rules.fees),
  chunks: (before, after) => step('chunks', before.chunks, after.chunks),
};

/**
 * The differences between a written plan and the plan of now, in words: `rows 3 -> 4`. A part without such words is
 * named.
 */
export function changesOf(before: PlanFile, after: PlanView): string[] {
  const parts = Object.keys(PART_NAMES) as PlanPart[];
  const changed = after.parts === null ? parts : changedParts(before.parts, after.parts);
  const changes = changed.flatMap((part): readonly string[] => {
    const words = WORDS[part]?.(before, after) ?? [];
    // Without a digest of now there are no parts whose change could be hidden.
    return words.length > 0 || after.parts === null ? words : [PART_NAMES[part]];
  });
  return changes.length > 0 ? changes : ['its digest'];
}

const policyOf = ({ approval, approvers }: RulesInWords) => [...approval, ...approvers];

const step = (name: string, before: string | number, after: string | number): string[] =>
  before === after ? [] : [`${name} ${before} -> ${after}`];

const short = (sha256: string): string => sha256.slice(0, HASH_DIGITS);

function totalSteps(before: readonly CurrencyTotal[], after: readonly CurrencyTotal[]): string[] {
  const currencies = namesOf(before, after, ({ currency }) => currency);
  const totalIn = (totals: readonly CurrencyTotal[], name: string): string =>
    totals.find(({ currency }) => currency === name)?.total ?? '0';
  return currencies.flatMap((currency) =>
    totalStep(currency, totalIn(before, currency), totalIn(after, currency)),
  );
}

const totalStep = (currency: string, before: string, after: string): string[] =>
  before === after
    ? []
    : [`total ${amountText(before, currency)} -> ${moneyText(after, currency)}`];

type Findings = readonly Readonly<{ code: string; count: number }>[];

function findingSteps(before: Findings, after: Findings): string[] {
  const codes = namesOf(before, after, ({ code }) => code);
  const countIn = (findings: Findings, name: string): number =>
    findings.find(({ code }) => code === name)?.count ?? 0;
  return codes.flatMap((code) =>
    step(`finding ${code}`, countIn(before, code), countIn(after, code)),
  );
}

const namesOf = <Item>(
  before: readonly Item[],
  after: readonly Item[],
  nameOf: (item: Item) => string,
): string[] => [...new Set([...before, ...after].map(nameOf))];

function sentenceSteps(
  part: PlanPart,
  before: readonly string[],
  after: readonly string[],
): string[] {
  const gone = before.filter((sentence) => !after.includes(sentence));
  const added = after.filter((sentence) => !before.includes(sentence));
  if (gone.length + added.length === 0) return [];
  const [was, is] = [gone, added].map((sentences) => sentences.join(' ') || 'nothing');
  return [`${PART_NAMES[part]}: "${was}" -> "${is}"`];
}

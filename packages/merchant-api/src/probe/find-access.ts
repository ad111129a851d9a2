import { MerchantApiError } from '../errors.ts';
import type { Shapes } from '../spec/shapes.ts';
import type { Asker } from './asker.ts';
import { type ProbeAnswer, wordsOf } from './probe-answer.ts';

/** The form in which the service accepts key, account and time. */
export type FoundAccess = Readonly<{
  base: Readonly<{ accountCase: Shapes['accountCase']; timestampUnit: Shapes['timestampUnit'] }>;
  /** The balance that it answered. */
  value: unknown;
  words: string;
}>;

/**
 * Reads the balance as the options have it, then with the account in lower case, with the other unit of the timestamp, and
 * with both. Throws the refusal of the first when all are refused.
 */
export async function findAccess(asker: Asker): Promise<FoundAccess> {
  const { account = '', shapes } = asker.settings;
  const { accountCase, timestampUnit } = shapes;
  const units = timestampUnit === 'ms' ? (['ms', 's'] as const) : (['s', 'ms'] as const);
  const cases = account === account.toLowerCase() ? [accountCase] : [accountCase, 'lower' as const];
  const forms = units.flatMap((unit) =>
    [...new Set(cases)].map((each) => ({ accountCase: each, timestampUnit: unit })),
  );
  let first: ProbeAnswer | undefined;
  for (const base of forms) {
    const answer = await asker.ask({ ...base, operation: 'ACCOUNT', hasAccount: true });
    if (answer.kind === 'value') return { base, value: answer.value, words: wordsOf(answer) };
    first ??= answer;
    // Another form does not help against a service that cannot be reached.
    if (answer.kind === 'none') break;
  }
  throw first?.kind === 'value' || first?.cause === undefined
    ? new MerchantApiError('no-answer', { operation: 'ACCOUNT', reason: 'it was not asked' })
    : first.cause;
}

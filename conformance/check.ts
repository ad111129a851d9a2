import type { Operation } from '../src/spec/endpoints.ts';
import type { Given } from './given.ts';
import type { Service } from './service.ts';

/** What came of trying one sentence. `found` says what the service did, in a few words. */
export type Verdict =
  | Readonly<{ kind: 'met'; found?: string }>
  | Readonly<{ kind: 'broken'; found: string }>
  /** The specification leaves it open; this is what the service does. */
  | Readonly<{ kind: 'open'; found: string }>;

/** One sentence of the specification that can be tried against a running service. */
export type Check = Readonly<{
  /** Never renamed: people exclude checks by it. */
  id: string;
  /** The heading of the specification under which the sentence stands. */
  section: string;
  sentence: string;
  /** Operations without which it cannot be tried. */
  needs: readonly Operation[];
  /** What it leaves behind: nothing, objects such as a wallet, or a payment. */
  leaves: 'nothing' | 'objects' | 'payments';
  try(service: Service, given: Given): Promise<Verdict>;
}>;

export const met = (found?: string): Verdict =>
  found === undefined ? { kind: 'met' } : { kind: 'met', found };
export const broken = (found: string): Verdict => ({ kind: 'broken', found });
export const open = (found: string): Verdict => ({ kind: 'open', found });

/** The first verdict that is not `met`, else the last. */
export async function all(...steps: (() => Promise<Verdict> | Verdict)[]): Promise<Verdict> {
  let verdict = met();
  for (const step of steps) {
    verdict = await step();
    if (verdict.kind !== 'met') return verdict;
  }
  return verdict;
}

/**
 * The category of an error; the command line turns it into an exit code. `usage`: flags or settings. `file`: the
 * merchant's file. `said-no`: a person refused. `auth`: key, signature or clock. `tampered`: a stored record was
 * changed. `not-found`, `unreachable`, `operator`: as their names. `bug`: a fault of this program.
 */
export type ErrorCategory =
  | 'usage'
  | 'file'
  | 'said-no'
  | 'auth'
  | 'not-found'
  | 'unreachable'
  | 'operator'
  | 'funds'
  | 'tampered'
  | 'bug';

/** A sentence of an error, fixed or made from the facts. */
export type Sentence<Facts> = string | ((facts: Facts) => string);

export type CatalogueEntry<Facts> = Readonly<{
  category: ErrorCategory;
  what: Sentence<Facts>;
  why: Sentence<Facts>;
  fix: Sentence<Facts>;
  /** Only carries the type of the facts; never set. */
  facts?: Facts;
}>;

/** Declares one error; the type parameter names the facts that its sentences need. */
export const entry = <Facts = Readonly<Record<string, never>>>(
  e: CatalogueEntry<Facts>,
): CatalogueEntry<Facts> => e;

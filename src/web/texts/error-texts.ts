import type { ErrorCode, ErrorFacts } from '../../domain/errors/catalogue.ts';
import type { Sentence } from '../../domain/errors/entry.ts';

/**
 * An error in another language than that of the server. `short`: what happened, where the facts of `what` are not known. `fix`: missing
 * where the remedies of the pages have it.
 */
export type ErrorText<Code extends ErrorCode> = Readonly<{
  what: Sentence<ErrorFacts<Code>>;
  short?: string;
  why: Sentence<ErrorFacts<Code>>;
  fix?: Sentence<ErrorFacts<Code>>;
}>;

/** Errors by code. A code that is missing has only the sentences of the server. */
export type ErrorTexts = Readonly<{ [Code in ErrorCode]?: ErrorText<Code> }>;

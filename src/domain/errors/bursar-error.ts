import { isObject } from '../json/is-object.ts';
import { maskedUrl } from '../text/masked-url.ts';
import { CATALOGUE, type ErrorCode, type ErrorFacts } from './catalogue.ts';

/** The code of an error, on which programs branch. */
export type ErrorIdentity = Readonly<{ code: ErrorCode }>;

/** An error for a person or a program: what happened, why, and how to fix it. */
export type ErrorNote = ErrorIdentity & Readonly<{ what: string; why: string; fix: string }>;

/** Whether a detail of a failure in Temporal is the note of an error of ours. */
export const isErrorNote = (value: unknown): value is ErrorNote =>
  isObject(value) && 'code' in value && 'fix' in value;

/**
 * The one error that Bursar throws on purpose: a stable code and typed facts. The catalogue makes its sentences from
 * the facts, so that a code reads the same everywhere.
 */
export class BursarError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code;
  /** Empty for an error that was made of its note. */
  readonly facts: ErrorFacts<Code>;
  readonly note: ErrorNote;

  /** `note`: the sentences, where another process has made them already. */
  constructor(
    code: Code,
    facts: ErrorFacts<Code>,
    { note = noteOf(code, facts), cause }: Readonly<{ note?: ErrorNote; cause?: unknown }> = {},
  ) {
    super(note.what, cause === undefined ? undefined : { cause });
    this.name = 'BursarError';
    this.code = code;
    this.facts = facts;
    this.note = note;
  }
}

/** The error of a note that another process has made. */
export const errorOfNote = (note: ErrorNote): BursarError =>
  new BursarError(note.code, {} as ErrorFacts<ErrorCode>, { note });

/** Turns a code and its facts into the sentences that people read. */
export function noteOf<Code extends ErrorCode>(code: Code, facts: ErrorFacts<Code>): ErrorNote {
  const entry = CATALOGUE[code] as unknown as Record<'what' | 'why' | 'fix', Sentence>;
  const say = (sentence: Sentence): string =>
    maskedUrl(typeof sentence === 'string' ? sentence : sentence(facts as never));
  return { code, what: say(entry.what), why: say(entry.why), fix: say(entry.fix) };
}

export const isBursarError = (error: unknown): error is BursarError => error instanceof BursarError;

const STORE_CODES: readonly string[] = [
  'STORE_BUSY',
  'STORE_FULL',
  'STORE_UNREACHABLE',
  'STORE_PASSWORD_FILE_OPEN',
  'STORE_PASSWORD_FILE_UNREADABLE',
];

/** Whether the store is locked, full or out of reach: the error then has nothing to do with the work that met it. */
export const isStoreUnavailable = (error: unknown): boolean =>
  isBursarError(error) && STORE_CODES.includes(error.code);

type Sentence = string | ((facts: never) => string);

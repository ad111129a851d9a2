import type { Methods } from '../../app/methods.ts';
import type { OperationName } from './places.ts';

type Returned<Name extends OperationName> = ReturnType<Methods[Name]>;

export type InputOf<Name extends OperationName> = Parameters<Methods[Name]>[0];

/** Operations with one result. */
export type SingleName = {
  [Name in OperationName]: Returned<Name> extends Promise<unknown> ? Name : never;
}[OperationName];

export type ResultOf<Name extends SingleName> = Awaited<Returned<Name>>;

/** Operations whose result is a list. */
export type ListName = Exclude<OperationName, SingleName>;

export type ItemOf<Name extends ListName> =
  Returned<Name> extends AsyncIterable<infer Item> ? Item : never;

export type AboutOf<Name extends ListName> =
  Returned<Name> extends Readonly<{ open(): Promise<infer Opened> }>
    ? Opened extends Readonly<{ about: infer About }>
      ? About
      : never
    : never;

export type WebBatch = ResultOf<'showBatch'>;
export type WebPlan = ResultOf<'planFile'>;
export type WebFinding = WebPlan['findings'][number];
export type WebQuestion = ResultOf<'approvalQuestion'>;
export type WebRow = ItemOf<'listRows'>;
export type WebHold = WebBatch['holds'][number];
export type WebFunds = ResultOf<'readFunds'>;
export type WebRefusedRow = WebPlan['refused'][number];
export type WebRowHistory = ResultOf<'explainRow'>;
/** Where the server is, and what it pays with. */
export type WebPlace = ResultOf<'showPlace'>;
export type WebPeople = ResultOf<'listPeople'>;

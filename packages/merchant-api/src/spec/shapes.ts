import { OPERATIONS, type Operation } from './endpoints.ts';

/**
 * How operations are called, where the specification leaves it open: each choice with its values, the default first.
 * The client takes them as its option `shapes`, the sandbox as modes of the same names. See docs/shapes.md.
 */
export const SHAPES = {
  /**
   * How MASS_GET names a mass payout: in a payload, or `flat`, beside the timestamp.
   * ASSUMED: as a lookup does. Spec: "Endpoints", POST /api/v1/payout/mass, "Request body: not shown".
   */
  massGetAccepts: ['reference', 'id-only', 'key-only', 'flat', 'flat-id-only', 'flat-key-only'],
  /**
   * Which operations carry `account`, see `ACCOUNT_OPERATIONS`.
   * ASSUMED: most of them. Spec: "Endpoints" shows it for the operations of `shown` alone.
   */
  accountIn: ['most', 'all', 'shown'],
  /**
   * Whether the case of a hexadecimal account id counts: no; yes; or only lower case is accepted.
   * ASSUMED: it does not count. Spec: "Request envelope" has only the pattern, which allows both cases.
   */
  accountCase: ['any', 'exact', 'lower'],
  /**
   * Unit of `timestamp`.
   * ASSUMED: milliseconds on every operation, as the table shows. Spec: "Request envelope".
   */
  timestampUnit: ['ms', 's'],
  /**
   * Number of the first page, in requests and in the `page` of answers.
   * ASSUMED: 1, the default page number. Spec: "Limits" does not show whether 0 comes before it.
   */
  pageBase: ['one', 'zero'],
} as const;

/** Name of a choice of `Shapes`. */
export type ShapeName = keyof typeof SHAPES;

/**
 * How the client calls the operations, where the specification leaves it open. A choice that is left out has its default.
 * See docs/shapes.md.
 */
export type ShapeChoices = {
  /** How MASS_GET names a mass payout: in a payload, or `flat`, beside the timestamp. */
  readonly massGetAccepts?: (typeof SHAPES.massGetAccepts)[number];
  /**
   * The operations that carry `account`: `most` (all but FEE_CALCULATION and USER), `all`, `shown` (those for which the
   * specification shows it), or exactly the operations of a list.
   */
  readonly accountIn?: (typeof SHAPES.accountIn)[number] | readonly Operation[];
  /** `lower`: the client sends account ids in lower case. Else it sends them as they are given. */
  readonly accountCase?: (typeof SHAPES.accountCase)[number];
  /** Unit of the timestamp in requests. Options, errors and prepared bodies always have milliseconds. */
  readonly timestampUnit?: (typeof SHAPES.timestampUnit)[number];
  /** Number of the service's first page. Callers of the client always count from 1. */
  readonly pageBase?: (typeof SHAPES.pageBase)[number];
};

/** Every choice of `ShapeChoices`. */
export type Shapes = Required<ShapeChoices>;

/** The default of each choice. */
export const DEFAULT_SHAPES: Shapes = {
  massGetAccepts: SHAPES.massGetAccepts[0],
  accountIn: SHAPES.accountIn[0],
  accountCase: SHAPES.accountCase[0],
  timestampUnit: SHAPES.timestampUnit[0],
  pageBase: SHAPES.pageBase[0],
};

/** Operations without `account` by default: one is shown without it, and the other answers with the accounts. */
const WITHOUT_ACCOUNT: readonly Operation[] = ['FEE_CALCULATION', 'USER'];

/** The operations that carry `account`, by the choice of `accountIn`. Spec: "Endpoints". */
export const ACCOUNT_OPERATIONS: Readonly<
  Record<(typeof SHAPES.accountIn)[number], readonly Operation[]>
> = {
  most: OPERATIONS.filter((operation) => !WITHOUT_ACCOUNT.includes(operation)),
  all: OPERATIONS,
  shown: ['ACCOUNT', 'WEBHOOK_CREATE', 'WEBHOOK_CHANGE', 'WEBHOOK_LIST'],
};

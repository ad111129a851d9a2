import type { Endpoints, Operation } from '../spec/endpoints.ts';
import type { ShapeChoices } from '../spec/shapes.ts';

/** What a probe found out about one point. */
export type ProbeFinding = {
  /** Name of a shape such as `massGetAccepts`, name of an operation, `account`, or `lookupByKey`. */
  readonly point: string;
  /** The value, as the settings would have it. */
  readonly value: string;
  /** The answer that shows it, with the service's own words. Text from outside: escape it where you show it. */
  readonly by: string;
};

/** A point that the answers did not show. */
export type ProbeOpen = {
  /** Name of a shape or of an operation, `lookupByKey`, or `lookupByKeyAbsent`. */
  readonly point: string;
  /** Its cost, in a sentence. */
  readonly cost: string;
};

/** How a service behaves, as far as its answers show it. */
export type ProbeReport = {
  /** Shapes that were found, for the option `shapes` of the client. */
  readonly shapes: ShapeChoices;
  /** Where operations were found, for the option `endpoints`; '' for one that is not served. */
  readonly endpoints: Partial<Endpoints>;
  /** The points that the answers showed. */
  readonly findings: readonly ProbeFinding[];
  /** The points that they did not show. */
  readonly open: readonly ProbeOpen[];
  /** Operations that the service refuses for this key: only with the statuses 401 and 403, and other paths otherwise. */
  readonly forbidden: readonly Operation[];
  /** Number of requests that the probe sent. */
  readonly requests: number;
};

/** A report that grows. */
export type ReportDraft = {
  shapes: ShapeChoices;
  endpoints: Partial<Endpoints>;
  findings: ProbeFinding[];
  open: ProbeOpen[];
  forbidden: Operation[];
};

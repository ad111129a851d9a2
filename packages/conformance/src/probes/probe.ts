import {
  type Endpoints,
  OPERATIONS,
  type Operation,
  type ShapeChoices,
  type Shapes,
} from '@bursar/merchant-api/spec';
import { isAllowed, type Permissions } from '../guard.ts';
import type { CheckRun } from '../run.ts';
import { findMissing, type MissingOperations } from './paths.ts';
import { findMassShapes } from './payouts.ts';
import {
  accountInOf,
  findCarriers,
  findEnvelope,
  findPageBase,
  type ShapedService,
} from './shapes.ts';

/** The findings of a run before its checks. */
export type ProbeFindings = Readonly<{
  /** The shapes in which the checks are sent. */
  shapes: Shapes;
  /** Those among them that the options state, or that the service showed. */
  found: ShapeChoices;
  missing: MissingOperations;
}>;

export type ProbeSubject = Readonly<{
  service: ShapedService;
  account: string;
  endpoints: Endpoints;
  permissions: Permissions;
  /** The shapes that the options state, and the default of each. */
  stated: ShapeChoices;
  defaults: Shapes;
  /** Operations that the checks of the run need. */
  wanted: readonly Operation[];
  /** A run in these shapes. Null: the run pays nothing. */
  paying: ((shapes: Shapes) => CheckRun) | null;
}>;

/**
 * Finds out which operations a service serves, and how they are called. Operations that the options
 * do not allow are not tried.
 */
export async function probe(subject: ProbeSubject): Promise<ProbeFindings> {
  const { service, account, endpoints, permissions, stated, defaults, wanted, paying } = subject;
  let found = stated;
  const shapes = (): Shapes => ({ ...defaults, ...found });
  const take = (more: ShapeChoices): void => {
    found = { ...found, ...more, ...stated };
  };
  const serves = (operation: Operation): boolean =>
    wanted.includes(operation) && endpoints[operation] !== '' && isAllowed(operation, permissions);
  if (!serves('ACCOUNT')) return { shapes: shapes(), found, missing: new Map() };
  const limits = { account, serves };
  take(await findEnvelope(service, shapes(), limits));
  const tried = OPERATIONS.filter(serves);
  const missing = new Map(await findMissing(service(shapes()), tried, endpoints));
  const carriers = await findCarriers(service, shapes(), limits);
  take(accountInOf(carriers, shapes()));
  take(await findPageBase(service, shapes(), limits));
  for (const operation of carriers.keys()) missing.delete(operation);
  if (paying !== null && serves('MASS_CREATE') && !missing.has('MASS_CREATE')) {
    take(await findMassShapes(paying, { shapes: shapes(), found }));
    if (found.massGetAccepts !== undefined) missing.delete('MASS_GET');
  }
  return { shapes: shapes(), found, missing };
}

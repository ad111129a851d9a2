import type { ProbeReport } from '@bursar/merchant-api';
import {
  DEFAULT_SHAPES,
  type Endpoints,
  type Operation,
  type ShapeChoices,
  type ShapeName,
  SHAPES,
} from '@bursar/merchant-api/spec';
import type { Settings } from '../../config.ts';

/** The name of a shape in `bursar.toml`. */
export const shapeSetting = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The settings that a probe found and that are not set so, by their names in `bursar.toml`. */
export const settingsFound = (
  report: ProbeReport,
  { api }: Settings,
): ReadonlyMap<string, string> => differences(report, api);

/** {@link settingsFound} without those that are not set, and whose default is what was found. */
export const settingsDiffering = (
  report: ProbeReport,
  { api }: Settings,
): ReadonlyMap<string, string> => {
  const set = Object.entries(api.shapes).filter(([, choice]) => choice !== undefined);
  const shapes = { ...DEFAULT_SHAPES, ...(Object.fromEntries(set) as ShapeChoices) };
  return differences(report, { endpoints: api.endpoints, shapes });
};

type Present = Readonly<{ endpoints: Endpoints; shapes: ShapeChoices }>;

function differences({ endpoints, shapes }: ProbeReport, present: Present): Map<string, string> {
  const found = new Map<string, string>();
  for (const [operation, place] of Object.entries(endpoints)) {
    if (present.endpoints[operation as Operation] !== place) {
      found.set(`api.endpoints.${operation.toLowerCase()}`, place);
    }
  }
  for (const name of Object.keys(SHAPES) as ShapeName[]) {
    const value = textOf(shapes[name]);
    if (value !== undefined && value !== textOf(present.shapes[name])) {
      found.set(`api.shapes.${shapeSetting(name)}`, value);
    }
  }
  return found;
}

const textOf = (choice: string | readonly string[] | undefined): string | undefined =>
  typeof choice === 'object' ? choice.join(',') : choice;

/**
 * Whether the service takes MASS_GET by key alone, has no LOOKUP, and no key has found a mass payout. A service whose
 * keys never find anything refuses a random key in the same way.
 */
export const isByUnprovenKey = ({ shapes, endpoints, findings }: ProbeReport): boolean =>
  shapes.massGetAccepts?.endsWith('key-only') === true &&
  (endpoints.LOOKUP ?? '') === '' &&
  !findings.some(({ point, value }) => point === 'lookupByKey' && value === 'available');

/** Whether some read of a mass payout shows how a payment ended: one by id, or one by a key that is proven. */
export const isReadable = (report: ProbeReport): boolean =>
  (report.shapes.massGetAccepts !== undefined && !isByUnprovenKey(report)) ||
  (report.endpoints.LOOKUP ?? '') !== '';

/** {@link isReadable} by the paths and the shape of MASS_GET that are set. A person who has set it answers for a key that is not proven. */
export function isReadableAsSet(report: ProbeReport, { api }: Settings): boolean {
  const { LOOKUP: lookup = '' } = report.endpoints;
  const { massGetAccepts: found } = report.shapes;
  const { massGetAccepts: set = DEFAULT_SHAPES.massGetAccepts } = api.shapes;
  const isByLookup = lookup !== '' && lookup === api.endpoints.LOOKUP;
  if (isByUnprovenKey(report) && api.shapes.massGetAccepts === undefined) return false;
  return isByLookup || (found !== undefined && sharesRead(found, set));
}

type MassGetShape = NonNullable<ShapeChoices['massGetAccepts']>;

/** Whether a request of one shape of MASS_GET is one of the other shape too. */
function sharesRead(one: MassGetShape, other: MassGetShape): boolean {
  const limits = [one, other].map((shape) => shape.replace(/^flat-?|^reference$/, ''));
  const isContrary = limits.includes('id-only') && limits.includes('key-only');
  return one.startsWith('flat') === other.startsWith('flat') && !isContrary;
}

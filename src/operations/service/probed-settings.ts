import type { ProbeReport } from '@bursar/merchant-api';
import { type Operation, SHAPES, type ShapeName } from '@bursar/merchant-api/spec';
import type { Settings } from '../../config.ts';

/** The name of a shape in `bursar.toml`. */
export const shapeSetting = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The settings that a probe found and that are not set so, by their names in `bursar.toml`. */
export function settingsFound(
  { endpoints, shapes }: ProbeReport,
  { api }: Settings,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [operation, place] of Object.entries(endpoints)) {
    if (api.endpoints[operation as Operation] !== place) {
      found.set(`api.endpoints.${operation.toLowerCase()}`, place);
    }
  }
  for (const name of Object.keys(SHAPES) as ShapeName[]) {
    const [value, present] = [textOf(shapes[name]), textOf(api.shapes[name])];
    if (value !== undefined && value !== present) {
      found.set(`api.shapes.${shapeSetting(name)}`, value);
    }
  }
  return found;
}

const textOf = (choice: string | readonly string[] | undefined): string | undefined =>
  typeof choice === 'object' ? choice.join(',') : choice;

/** Whether some read of a mass payout is understood: without one nothing shows how a payment ended. */
export const isReadable = ({ shapes, endpoints }: ProbeReport): boolean =>
  shapes.massGetAccepts !== undefined || (endpoints.LOOKUP ?? '') !== '';

import { nearest } from '../../../config/nearest.ts';
import { EVENT_TYPES, type EventType } from '@bursar/merchant-api/spec';
import { flagInvalid } from '../../../operations/input/flag-error.ts';

/** Reads the name of a type of event, in any case. Throws FLAG_INVALID, with what was probably meant. */
export function readEventType(flag: string, text: string): EventType {
  const name = text.trim().toUpperCase();
  const type = EVENT_TYPES.find((one) => one === name);
  if (type !== undefined) return type;
  const meant = nearest(name, EVENT_TYPES);
  const hint =
    meant === undefined ? '"bursar sandbox trigger" lists them' : `did you mean ${meant}?`;
  throw flagInvalid(flag, `"${text}" is no type of event (${hint})`);
}

import { z } from 'zod';
import {
  EVENT_GROUPS,
  EVENT_TYPES,
  PAYOUT_STATES,
  OPERATION_CODES,
} from '@bursar/merchant-api/spec';

/** Spec: "States and transitions". */
export const PayoutStateName = z.enum(PAYOUT_STATES);

/** Spec: "Settlement wallets", operation codes. */
export const OperationCodeName = z.enum(OPERATION_CODES);

/** Spec: "Events", table of event types. */
export const EventTypeName = z.enum(EVENT_TYPES);

/** Spec: "Events", event groups. */
export const EventGroupName = z.enum(EVENT_GROUPS);

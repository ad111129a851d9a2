import { z } from 'zod';
import { readPlace, type ShownPlace } from '../../operations/service/place.ts';
import { operation } from '../operation.ts';

const shownPlace: z.ZodType<ShownPlace> = z.object({
  schema: z.literal('bursar.place/v1'),
  environment: z.enum(['LIVE', 'SANDBOX']),
  service: z.string().nullable(),
  account: z.string().nullable(),
  profile: z.string().nullable(),
  version: z.string(),
});

export const showPlace = operation({
  name: 'showPlace',
  summary: 'Which service and account are used, and whether its money is real',
  role: 'read',
  http: 'GET /v1/place',
  input: z.strictObject({}),
  result: shownPlace,
  run: (_input, context) => readPlace(context),
});

import { z } from 'zod';

/** Spec: "Error body (PublicGatewayErrorResponse)". ASSUMED: the values of `errorCode`. */
export const ErrorBody = z
  .object({
    traceId: z.string(),
    errorCode: z.string().describe('Why it was refused. New codes may come.'),
    message: z.string().describe('For people; never to be parsed.'),
  })
  .describe('PublicGatewayErrorResponse.');

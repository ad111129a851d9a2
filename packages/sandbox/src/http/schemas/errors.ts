import { z } from 'zod';

/** Spec: "Error body (PublicGatewayErrorResponse)". ASSUMED: the values of `errorCode`. */
export const ErrorBody = z
  .object({
    traceId: z.string(),
    errorCode: z.string().describe('The reason of the refusal. New codes may be added.'),
    message: z.string().describe('Text for people. Programs must not parse it.'),
  })
  .describe('PublicGatewayErrorResponse.');

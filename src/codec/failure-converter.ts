import { DefaultFailureConverter } from '@temporalio/common';

/**
 * Moves messages and stack traces of failures into the payload that the codec encrypts.
 * Temporal's default converter stores them in clear.
 */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });

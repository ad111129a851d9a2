import { DefaultFailureConverter } from '@temporalio/common';

/** Puts messages and stack traces of failures where the codec encrypts them; by default Temporal keeps them in clear. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });

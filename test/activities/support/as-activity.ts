import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';

/** Runs functions as a worker runs activities. What they throw is for the test to see, not for the log. */
export const asActivity = (): MockActivityEnvironment =>
  new MockActivityEnvironment(undefined, { logger: new DefaultLogger('ERROR') });

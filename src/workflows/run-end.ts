import {
  ContinueAsNew,
  proxySinks,
  type WorkflowInterceptors,
  workflowInfo,
} from '@temporalio/workflow';
import type { RunSinks } from '../contract/run-sinks.ts';
import { failureCode } from '../domain/tracing/span.ts';

const { runs } = proxySinks<RunSinks>();

/** Reports the end of a workflow to its worker, for a trace. A run that goes on in the next one has not ended. */
export const interceptors = (): WorkflowInterceptors => ({
  inbound: [
    {
      async execute(call, next) {
        try {
          const result = await next(call);
          report(null);
          return result;
        } catch (error) {
          if (!(error instanceof ContinueAsNew)) report(failureCode(error));
          throw error;
        }
      },
    },
  ],
});

/** A replay may run in a program that has no such sink. */
function report(failure: string | null): void {
  if (!workflowInfo().unsafe.isReplaying) runs.ended(failure);
}

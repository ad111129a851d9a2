import { ApplicationFailure } from '@temporalio/common';
import { isRefused, openValue } from '../../domain/encryption/clear-value.ts';
import { noteOf } from '../../domain/errors/bursar-error.ts';

type Input = Readonly<{ args: unknown[] }>;

/**
 * Keeps an activity from work that another client of Temporal requests in clear, where encryption is required. A clear
 * request of our own workflow from before is tried again, and goes on once `encryption.required` is false.
 */
export const refuseClearActivities = () => ({
  inbound: {
    async execute<Given extends Input>(
      input: Given,
      next: (input: Given) => Promise<unknown>,
    ): Promise<unknown> {
      if (input.args.some(isRefused)) {
        const note = noteOf('PAYLOAD_IN_CLEAR', {});
        throw ApplicationFailure.create({ type: note.code, message: note.what, details: [note] });
      }
      return next({ ...input, args: input.args.map(openValue) });
    },
  },
});

import { entry } from './entry.ts';

type Refusal = Readonly<{ errorCode: string; message: string }>;

/** What goes wrong between the command line and a sandbox. */
export const SANDBOX_ERRORS = {
  SANDBOX_UNREACHABLE: entry<Readonly<{ url: string; reason: string }>>({
    category: 'unreachable',
    what: (f) => `The sandbox at ${f.url} cannot be reached (${f.reason}).`,
    why: 'No sandbox answers there.',
    fix: 'Start one with "bursar sandbox start" or "bursar up"; if yours has another address, name it with --url or BURSAR_SANDBOX_LISTEN.',
  }),
  SANDBOX_REFUSED: entry<Refusal>({
    category: 'usage',
    what: (f) => `The sandbox refused the command: ${f.errorCode}: ${f.message}`,
    why: 'The sandbox checks everything first; nothing was changed.',
    fix: 'Change the command as the message says; "bursar sandbox status" and "bursar sandbox payouts" show how things stand.',
  }),
  SANDBOX_NOTHING: entry<Refusal>({
    category: 'not-found',
    what: (f) => `The sandbox knows nothing by that name: ${f.errorCode}: ${f.message}`,
    why: 'It does not exist, or another sandbox has it.',
    fix: 'List what there is with "bursar sandbox payouts", "webhooks", "deliveries" or "faults", and check --url.',
  }),
};

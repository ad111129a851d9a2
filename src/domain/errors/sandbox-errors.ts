import { entry } from './entry.ts';

type Refusal = Readonly<{ errorCode: string; message: string }>;

/** What goes wrong between the command line and a sandbox. */
export const SANDBOX_ERRORS = {
  SANDBOX_UNREACHABLE: entry<Readonly<{ url: string; reason: string }>>({
    category: 'unreachable',
    what: (f) => `The sandbox at ${f.url} cannot be reached (${f.reason}).`,
    why: 'No sandbox answers there.',
    fix: 'Start one with "bursar sandbox start" or "bursar up". If yours has another address, give --url or BURSAR_SANDBOX_LISTEN.',
  }),
  SANDBOX_REFUSED: entry<Refusal>({
    category: 'usage',
    what: (f) => `The sandbox refused the command: ${f.errorCode}: ${f.message}`,
    why: 'The sandbox checks each command first. Nothing was changed.',
    fix: 'Change the command as the message says. "bursar sandbox status" and "bursar sandbox payouts" show the present state.',
  }),
  SANDBOX_NOTHING: entry<Refusal>({
    category: 'not-found',
    what: (f) => `The sandbox has nothing of that name: ${f.errorCode}: ${f.message}`,
    why: 'It does not exist, or another sandbox has it.',
    fix: 'List everything with "bursar sandbox payouts", "webhooks", "deliveries" or "faults", and check --url.',
  }),
};

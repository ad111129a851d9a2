/**
 * Pays a file without any safety, as a script does: no store, no workflow, no lookup before a send and no verification.
 */
import { drive, inLanes } from './drive.ts';

await drive(async (client, inFlight) => ({
  payAll: (payloads) =>
    inLanes(payloads, inFlight, async (payload) => client.settle(await client.create(payload))),
  close: async () => undefined,
}));

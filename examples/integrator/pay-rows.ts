/** Pays rows of a program by the library, and waits for their end. `node build/pay-rows.js BATCH` */
import { createBursar } from 'bursar';

const id = process.argv[2] ?? 'invoices-2026-11';
const rows = [
  {
    address: 'TWGd9ia8Q5mkXwLfvGK2YWHkMx3KNu59MB',
    amount: '120.50',
    currency: 'USDT_TRC20',
    reference: 'INV-1',
  },
  {
    address: 'TWGd9ia8Q5mkXwLfvGK2YWHkMx3KRLvHMB',
    amount: '80',
    currency: 'USDT_TRC20',
    reference: 'INV-2',
  },
];

await using bursar = createBursar(); // settings as for the command line
const file = await bursar.uploadFile({ name: `${id}.csv`, rows });
const plan = await bursar.planFile({ file, choices: { id } });
const { batchId, choices, digest, parts, findings, refused, problems } = plan;
if (digest === null || parts === null) {
  throw new Error([...problems, ...refused].map(({ what, fix }) => `${what} ${fix}`).join('\n'));
}
const confirm = plan.currencies.map(({ currency, total }) => ({ currency, total }));
await bursar.submitFile({ file, plan: { batchId, choices, digest, parts, findings }, confirm });
// A person may have to approve it first; the end comes afterwards.
for await (const { state, rows: count, isOver } of bursar.followBatch({ batchId })) {
  console.log(`${state}: ${count.paid} of ${count.total} paid`);
  if (isOver) process.exitCode = state === 'COMPLETED' ? 0 : 1;
}

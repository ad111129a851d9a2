import type { ShapeChoices, Shapes } from '@bursar/merchant-api/spec';
import { fieldOf, isAccepted, recordOf } from '../expect.ts';
import type { CheckRun } from '../run.ts';
import { type CreatedPayout, payoutOf, payoutPayload, sendPayout } from '../scenarios/creates.ts';
import { FORMS, massGetValue } from '../scenarios/mass-get.ts';

type KnownShapes = Readonly<{ shapes: Shapes; found: ShapeChoices }>;

/** Makes one mass payout, and returns how it is made and read. */
export async function findMassShapes(
  paying: (shapes: Shapes) => CheckRun,
  { shapes, found }: KnownShapes,
): Promise<ShapeChoices> {
  const others: readonly Shapes['accountIn'][] =
    found.accountIn === undefined ? ['most', 'shown'] : [found.accountIn];
  for (const accountIn of others) {
    const run = paying({ ...shapes, accountIn });
    const payload = payoutPayload(run);
    const answer = await sendPayout(run, payload);
    if (!isAccepted(answer)) continue;
    if (!run.service.has('MASS_GET')) return { accountIn };
    return { accountIn, ...(await massGetOf(run, payoutOf(payload, answer))) };
  }
  return {};
}

async function massGetOf(run: CheckRun, payout: CreatedPayout): Promise<ShapeChoices> {
  const taken = [];
  for (const form of FORMS) {
    const answer = await run.service.send('MASS_GET', form.body(payout));
    const isIt = fieldOf(recordOf(answer, 'id'), 'id') === payout.id;
    if (isAccepted(answer) && isIt) taken.push(form);
  }
  const massGetAccepts = massGetValue(taken);
  return massGetAccepts === undefined ? {} : { massGetAccepts };
}

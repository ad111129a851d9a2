import type { Shapes } from '@bursar/merchant-api/spec';
import {
  demandFor,
  isAccepted,
  type NeededObject,
  showAnswer,
  Unmet,
  Unprepared,
} from '../expect.ts';
import type { CheckRun } from '../run.ts';
import type { ServiceAnswer } from '../service.ts';
import type { CreatedPayout, MassPayoutNames } from './creates.ts';

const READING: NeededObject = { words: 'a mass payout to read', checkedBy: 'mass-get.request' };

type Form = Readonly<{
  words: string;
  names: 'id' | 'key';
  isFlat: boolean;
  body(names: MassPayoutNames): object;
}>;

/** Possible bodies of POST /api/v1/payout/mass. The specification does not show it. */
export const FORMS: readonly Form[] = [
  {
    words: 'payload with id',
    names: 'id',
    isFlat: false,
    body: ({ id }) => ({ payload: { id } }),
  },
  {
    words: 'payload with idempotencyKey',
    names: 'key',
    isFlat: false,
    body: ({ key }) => ({ payload: { idempotencyKey: key } }),
  },
  {
    words: 'id beside the timestamp',
    names: 'id',
    isFlat: true,
    body: ({ id }) => ({ extra: { id } }),
  },
  {
    words: 'idempotencyKey beside the timestamp',
    names: 'key',
    isFlat: true,
    body: ({ key }) => ({ extra: { idempotencyKey: key } }),
  },
];

type MassGetAccepts = Shapes['massGetAccepts'];

/** Returns the value for the forms that a service takes. A payload comes before a flat request. */
export function massGetValue(taken: readonly Form[]): MassGetAccepts | undefined {
  const isFlat = taken.every((form) => form.isFlat);
  const names = taken.filter((form) => form.isFlat === isFlat).map((form) => form.names);
  if (names.length === 0) return undefined;
  if (names.length === 2) return isFlat ? 'flat' : 'reference';
  const only = `${names[0] === 'id' ? 'id' : 'key'}-only` as const;
  return isFlat ? `flat-${only}` : only;
}

const isOf = ({ names, isFlat }: Form, value: MassGetAccepts): boolean =>
  value.startsWith('flat') === isFlat &&
  (!value.endsWith('-only') || value.endsWith(`${names}-only`));

/** Returns the first form of MASS_GET that finds a payout. Those of the run's shape come first. */
export const findForm = (run: CheckRun, payout: CreatedPayout): Promise<Form> =>
  run.once('form of MASS_GET', async () => {
    const { massGetAccepts } = run.shapes;
    const likely = FORMS.filter((form) => isOf(form, massGetAccepts));
    const forms = [...likely, ...FORMS.filter((form) => !likely.includes(form))];
    let last: ServiceAnswer | undefined;
    for (const form of forms) {
      last = await run.service.send('MASS_GET', form.body(payout));
      if (isAccepted(last)) return form;
    }
    const words = forms.map((form) => form.words).join(', ');
    const came = `no answer to ${words}${last === undefined ? '' : `, but ${showAnswer(last)}`}`;
    throw new Unprepared(READING, new Unmet('that a mass payout is found', came));
  });

export async function readPayout(run: CheckRun, payout: CreatedPayout): Promise<ServiceAnswer> {
  const form = await findForm(run, payout);
  return demandFor(await run.service.send('MASS_GET', form.body(payout)), READING);
}

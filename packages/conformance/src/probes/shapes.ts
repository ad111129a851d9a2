import {
  ACCOUNT_OPERATIONS,
  OPERATIONS,
  type Operation,
  type ShapeChoices,
  type Shapes,
  SHAPES,
} from '@bursar/merchant-api/spec';
import { carriesAccount, type ServiceRequest } from '../body.ts';
import { isAccepted, recordOf } from '../expect.ts';
import { itemsOf, type PagedOperation, pagingOf } from '../scenarios/lists.ts';
import type { TestedService } from '../service.ts';

/** A service that is called in these shapes. */
export type ShapedService = (shapes: Shapes) => TestedService;

/** The account of a probe, and whether it may send an operation. */
export type ProbeLimits = Readonly<{ account: string; serves(operation: Operation): boolean }>;

/** Returns the unit and the case with which a balance is read. Empty: with none. */
export async function findEnvelope(
  service: ShapedService,
  stated: Shapes,
  { account }: ProbeLimits,
): Promise<ShapeChoices> {
  for (const timestampUnit of SHAPES.timestampUnit) {
    for (const accountCase of ['any', 'lower'] as const) {
      const shapes = { ...stated, timestampUnit, accountCase };
      if (!isAccepted(await service(shapes).send('ACCOUNT'))) continue;
      if (accountCase === 'lower') return { timestampUnit, accountCase };
      const answer = await service(shapes).send('ACCOUNT', { account: inOtherCase(account) });
      if (inOtherCase(account) === account) return { timestampUnit };
      return { timestampUnit, accountCase: isAccepted(answer) ? 'any' : 'exact' };
    }
  }
  return {};
}

function inOtherCase(account: string): string {
  const lower = account.toLowerCase();
  return account === lower ? `${lower.slice(0, 2)}${lower.slice(2).toUpperCase()}` : lower;
}

/** Valid requests of operations for which the specification does not show the account. */
const READING: readonly (readonly [Operation, ServiceRequest])[] = [
  ['USER', {}],
  ['OPCODES', {}],
  [
    'FEE_CALCULATION',
    {
      payload: {
        items: [
          { baseAmount: 1, currency: 'USDT_TRC20', opType: 'WITHDRAWAL', feeType: 'SERVICE' },
        ],
      },
    },
  ],
  ['WALLET_LIST', { payload: pagingOf('WALLET_LIST') }],
  ['TRANSACTION_LIST', { payload: pagingOf('TRANSACTION_LIST') }],
];

/** Returns whether the operations that accept a valid request carry the account. */
export async function findCarriers(
  service: ShapedService,
  shapes: Shapes,
  { account, serves }: ProbeLimits,
): Promise<ReadonlyMap<Operation, boolean>> {
  const carrying = new Map<Operation, boolean>();
  for (const [operation, request] of READING) {
    if (!serves(operation)) continue;
    const usual = carriesAccount(operation, shapes);
    for (const carries of [usual, !usual]) {
      const answer = await service(shapes).send(operation, {
        ...request,
        account: carries ? account : null,
      });
      if (isAccepted(answer)) {
        carrying.set(operation, carries);
        break;
      }
    }
  }
  return carrying;
}

/** Returns the first value that fits these operations, or a list of exactly them. */
export function accountInOf(
  carrying: ReadonlyMap<Operation, boolean>,
  shapes: Shapes,
): ShapeChoices {
  if (carrying.size === 0) return {};
  const value = SHAPES.accountIn.find((each) =>
    [...carrying].every(
      ([operation, carries]) => ACCOUNT_OPERATIONS[each].includes(operation) === carries,
    ),
  );
  const seen = OPERATIONS.filter((each) => carrying.get(each) ?? carriesAccount(each, shapes));
  return { accountIn: value ?? seen };
}

/** Returns the number of the first page. Empty: no list has an object that shows it. */
export async function findPageBase(
  service: ShapedService,
  shapes: Shapes,
  { serves }: ProbeLimits,
): Promise<ShapeChoices> {
  for (const operation of ['WALLET_LIST', 'TRANSACTION_LIST'] as const) {
    if (!serves(operation)) continue;
    const pageBase = await pageBaseOf(service({ ...shapes, pageBase: 'one' }), operation);
    if (pageBase !== undefined) return { pageBase };
  }
  return {};
}

async function pageBaseOf(
  service: TestedService,
  operation: PagedOperation,
): Promise<Shapes['pageBase'] | undefined> {
  const page = async (pageNumber: number): Promise<string | null> => {
    const payload = { ...pagingOf(operation), pageNumber, pageSize: 1 };
    const answer = await service.send(operation, { payload });
    return isAccepted(answer) ? JSON.stringify(itemsOf(recordOf(answer, 'result'))) : null;
  };
  const [zeroth, first] = [await page(0), await page(1)];
  if (zeroth === null) return first === null ? undefined : 'one';
  if (zeroth === '[]') return first === '[]' ? undefined : 'one';
  return zeroth === first ? 'one' : 'zero';
}

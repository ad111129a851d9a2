import { randomUUID } from 'node:crypto';
import { WALLET_NAME_LENGTH_MAX } from '@bursar/merchant-api/spec';
import { answerFields } from '../answer-fields.ts';
import { type ConformanceCheck, met, notSeen, notShown } from '../check.ts';
import {
  demand,
  demandAccepted,
  demandEqual,
  demandFor,
  demandRefused,
  fieldOf,
  listOf,
  namesIn,
  recordOf,
} from '../expect.ts';
import * as kinds from '../kinds.ts';
import { requestFields } from '../request-fields.ts';
import type { CheckRun } from '../run.ts';
import { readItems, someBlockchain } from '../scenarios/lists.ts';
import type { ServiceAnswer } from '../service.ts';

const ABOUT = { section: 'Settlement wallets' } as const;

const create = async (run: CheckRun, name: string): Promise<ServiceAnswer> =>
  run.service.send('WALLET_CREATE', {
    payload: { name, blockchain: await someBlockchain(run) },
  });

const rename = ({ service }: CheckRun, address: unknown, name: string): Promise<ServiceAnswer> =>
  service.send('WALLET_RENAME', { payload: { address, name } });

const MADE = { words: 'a wallet', checkedBy: 'wallets.create.record.name' };
const RENAMED = { words: 'a renamed wallet', checkedBy: 'wallets.rename.listed' };

/** The answer to a create request. */
const made = (run: CheckRun): Promise<ServiceAnswer> =>
  run.once('a wallet', async () =>
    demandFor(await create(run, `conformance ${randomUUID()}`), MADE),
  );

const madeAddress = async (run: CheckRun): Promise<unknown> =>
  fieldOf(recordOf(await made(run), 'address'), 'address');

const WALLET = {
  name: kinds.text,
  address: kinds.text,
  blockchain: kinds.text,
  balances: kinds.list,
};

/** A check that create and rename accept, or refuse, a name of a length. */
const nameLength = (
  id: string,
  length: number,
  isRightAnswer: (answer: ServiceAnswer) => unknown,
): readonly ConformanceCheck[] => {
  const name = 'n'.repeat(length);
  const words = length > WALLET_NAME_LENGTH_MAX ? 'is refused' : 'is accepted';
  return [
    {
      id: `wallets.name.${id}.create`,
      section: 'Limits',
      sentence: `Wallet name length 0 to 100: on create one of ${length} characters ${words}.`,
      needs: ['WALLET_CREATE', 'objects'],
      try: async (run) => {
        isRightAnswer(await create(run, name));
        return met();
      },
    },
    {
      id: `wallets.name.${id}.rename`,
      section: 'Limits',
      sentence: `Wallet name length 0 to 100: on rename one of ${length} characters ${words}.`,
      needs: ['WALLET_CREATE', 'WALLET_RENAME', 'objects'],
      try: async (run) => {
        isRightAnswer(await rename(run, await madeAddress(run), name));
        return met();
      },
    },
  ];
};

const requestChecks: readonly ConformanceCheck[] = [
  ...requestFields({
    ...ABOUT,
    id: 'wallets.create.request',
    checkedBy: MADE.checkedBy,
    request: 'Wallet create request',
    operation: 'WALLET_CREATE',
    needs: ['objects'],
    sample: async (run) => ({
      name: 'conformance',
      blockchain: await someBlockchain(run),
    }),
    fields: { name: kinds.text, blockchain: kinds.text },
  }),
  ...requestFields({
    ...ABOUT,
    id: 'wallets.rename.request',
    checkedBy: RENAMED.checkedBy,
    request: 'Wallet rename request',
    operation: 'WALLET_RENAME',
    needs: ['WALLET_CREATE', 'objects'],
    sample: async (run) => ({
      address: await madeAddress(run),
      name: 'conformance',
    }),
    fields: { address: kinds.text, name: kinds.text },
  }),
  ...nameLength('empty', 0, demandAccepted),
  ...nameLength('longest', WALLET_NAME_LENGTH_MAX, demandAccepted),
  ...nameLength('too-long', WALLET_NAME_LENGTH_MAX + 1, demandRefused),
  ...requestFields({
    ...ABOUT,
    id: 'address-lookup.request',
    checkedBy: 'address-lookup.finds',
    request: 'Lookup by address request',
    operation: 'LOOKUP_ADDRESS',
    needs: ['WALLET_LIST'],
    sample: async (run) => {
      const [wallet] = await readItems(run, 'WALLET_LIST');
      return { address: fieldOf(wallet, 'address') };
    },
    fields: { address: kinds.text },
  }),
];

export const walletChecks: readonly ConformanceCheck[] = [
  ...requestChecks,
  ...answerFields({
    ...ABOUT,
    id: 'wallets.create.record',
    record: 'Answer to wallet create',
    needs: ['WALLET_CREATE', 'objects'],
    read: async (run) => [recordOf(await made(run), 'address')],
    fields: WALLET,
  }),
  ...answerFields({
    ...ABOUT,
    id: 'wallets.record',
    record: 'Wallet',
    needs: ['WALLET_LIST'],
    read: (run) => readItems(run, 'WALLET_LIST'),
    fields: WALLET,
  }),
  ...answerFields({
    ...ABOUT,
    id: 'wallets.record.balances',
    record: 'Wallet, `balances[]`',
    needs: ['WALLET_LIST'],
    read: async (run) =>
      (await readItems(run, 'WALLET_LIST')).flatMap((wallet) =>
        listOf(fieldOf(wallet, 'balances')),
      ),
    fields: {
      currency: kinds.text,
      amount: kinds.number,
      token: kinds.boolean,
    },
  }),
  {
    ...ABOUT,
    id: 'wallets.create.listed',
    sentence: 'A wallet that was created is in the wallet list, with its name and blockchain.',
    needs: ['WALLET_CREATE', 'WALLET_LIST', 'objects'],
    try: async (run) => {
      const answer = recordOf(await made(run), 'address');
      const nameOrAddress = fieldOf(answer, 'address');
      const [listed] = await readItems(run, 'WALLET_LIST', { nameOrAddress });
      demandEqual('address', fieldOf(listed, 'address'), nameOrAddress);
      demandEqual('blockchain', fieldOf(listed, 'blockchain'), fieldOf(answer, 'blockchain'));
      return met();
    },
  },
  {
    ...ABOUT,
    id: 'wallets.rename.listed',
    sentence: 'A wallet that was renamed has its new name in the wallet list.',
    needs: ['WALLET_CREATE', 'WALLET_RENAME', 'WALLET_LIST', 'objects'],
    try: async (run) => {
      const name = `renamed ${randomUUID()}`;
      const address = await madeAddress(run);
      demandAccepted(await rename(run, address, name));
      const found = await readItems(run, 'WALLET_LIST', {
        nameOrAddress: name,
      });
      demandEqual('wallets with the new name', found.length, 1);
      demandEqual('address', fieldOf(found[0], 'address'), address);
      return met();
    },
  },
  {
    ...ABOUT,
    id: 'wallets.rename.answer',
    section: 'Endpoints',
    sentence: 'Response of wallet rename: not shown.',
    needs: ['WALLET_CREATE', 'WALLET_RENAME', 'objects'],
    try: async (run) => {
      const answer = await rename(run, await madeAddress(run), 'conformance');
      return notShown(`it has ${namesIn(recordOf(demandFor(answer, RENAMED), 'address'))}`);
    },
  },
  {
    ...ABOUT,
    id: 'address-lookup.finds',
    section: 'Endpoints',
    sentence: 'Lookup by address takes an address. (Its response: not shown.)',
    needs: ['LOOKUP_ADDRESS', 'WALLET_LIST'],
    try: async (run) => {
      const [wallet] = await readItems(run, 'WALLET_LIST');
      if (wallet === undefined) return notSeen('there was no wallet');
      const payload = { address: fieldOf(wallet, 'address') };
      const answer = demandAccepted(await run.service.send('LOOKUP_ADDRESS', { payload }));
      demand(answer.json !== undefined, 'JSON', answer.text);
      return notShown(`it has ${namesIn(recordOf(answer, 'address'))}`);
    },
  },
];

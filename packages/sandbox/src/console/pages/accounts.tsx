import type { AdminAccount, AdminWallet, AdminWallets } from '@bursar/sandbox/admin';
import { callAdmin } from '../api/call-admin.ts';
import { useAnswer } from '../api/use-answer.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Amount } from '../parts/amount.tsx';
import { Copy } from '../parts/copy.tsx';
import { type DataColumn, DataTable } from '../parts/data-table.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { PageHead, Section } from '../parts/section.tsx';
import { None, Text } from '../parts/text.tsx';
import { Confirmations } from './confirmations.tsx';
import { Movements } from './movements.tsx';
import { Tariffs } from './tariffs.tsx';
import { TopUp } from './top-up.tsx';

const WALLETS_MAX = 1_000;

/** Balances, top-ups, tariffs and movements. */
export function AccountsPage({ query }: { query: URLSearchParams }) {
  const accounts = useAnswer('GET /accounts');
  const wallets = useAnswer('GET /wallets', { query: { limit: WALLETS_MAX } });
  const names = accounts.value?.accounts.map(({ account }) => account) ?? [];
  return (
    <>
      <PageHead
        title="Accounts"
        name="Accounts"
        about="Balances, and what a person can do with them."
        actions={<ActionButton label="Check the ledger" work={checkLedger} />}
      />
      <ErrorNote what="The accounts cannot be read." error={accounts.error ?? wallets.error} />
      {accounts.value?.accounts.map((account) => (
        <AccountCard key={account.account} account={account} wallets={wallets.value} />
      ))}
      {accounts.value === null ? null : (
        <div class="columns">
          <TopUp accounts={names} currencies={currenciesOf(wallets.value)} />
          <Tariffs />
        </div>
      )}
      <Movements account={query.get('account')} accounts={names} />
      <WalletsTable wallets={wallets.value?.wallets ?? []} />
    </>
  );
}

/** Adds up every entry of the ledger, which takes a moment when there are many. */
async function checkLedger(): Promise<string> {
  const { balances } = await callAdmin('GET /ledger', { query: { limit: 1 } });
  const wrong = balances.filter(({ tiesOut }) => !tiesOut);
  return wrong.length === 0
    ? `All ${balances.length} balances tie out: each is its opening and the sum of its entries.`
    : `These balances do not tie out: ${wrong.map(({ currency }) => currency).join(', ')}.`;
}

type Balance = AdminWallets['wallets'][number]['balances'][number];

const balancesOf = (wallets: AdminWallets | null, account: string): readonly Balance[] =>
  wallets?.wallets.filter((each) => each.account === account).flatMap((each) => each.balances) ??
  [];

const currenciesOf = (wallets: AdminWallets | null): string[] => [
  ...new Set(
    wallets?.wallets.flatMap(({ balances }) => balances.map(({ currency }) => currency)) ?? [],
  ),
];

type AccountCardProps = Readonly<{ account: AdminAccount; wallets: AdminWallets | null }>;

const AccountCard = ({ account, wallets }: AccountCardProps) => (
  <Section
    title={account.name}
    about={<Copy value={account.account} what="account" />}
    actions={<Confirmations account={account} />}
  >
    {wallets === null ? null : (
      <DataTable
        caption={`Balances of ${account.name}`}
        columns={[
          { label: 'Currency', show: ({ currency }) => <Text>{currency}</Text> },
          { label: 'Balance', isNumber: true, show: ({ amount }) => <Amount value={amount} /> },
        ]}
        rows={balancesOf(wallets, account.account)}
        keyOf={({ currency }) => currency}
        empty="The account has no balances."
      />
    )}
  </Section>
);

const WalletsTable = ({ wallets }: { wallets: readonly AdminWallet[] }) => (
  <Section title="Settlement wallets">
    <DataTable
      caption="Settlement wallets, oldest first"
      columns={COLUMNS}
      rows={wallets}
      keyOf={({ n }) => n}
      empty="There are no wallets."
    />
  </Section>
);

const COLUMNS: readonly DataColumn<AdminWallet>[] = [
  { label: 'Wallet', show: ({ name }) => <Text>{name}</Text> },
  { label: 'Blockchain', show: ({ blockchain }) => <Text>{blockchain}</Text> },
  { label: 'Address', show: ({ address }) => <bdi class="code whole">{address}</bdi> },
  {
    label: 'Holds',
    isNumber: true,
    show: ({ balances }) =>
      balances.length === 0 ? (
        <None />
      ) : (
        balances.map(({ currency, amount }) => (
          <div key={currency}>
            <Amount value={amount} currency={currency} />
          </div>
        ))
      ),
  },
];

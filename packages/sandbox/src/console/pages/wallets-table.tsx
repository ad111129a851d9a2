import type { AdminWallet } from '@bursar/sandbox/admin';
import { Amount } from '../parts/amount.tsx';
import { type DataColumn, DataTable } from '../parts/data-table.tsx';
import { Section } from '../parts/section.tsx';
import { None, Text } from '../parts/text.tsx';

export const WalletsTable = ({ wallets }: { wallets: readonly AdminWallet[] }) => (
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

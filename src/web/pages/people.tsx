import { amountText, currencyText } from '../../domain/text/money-text.ts';
import { callOperation } from '../api/call.ts';
import type { WebPeople } from '../api/results.ts';
import { useAnswer } from '../api/use-answer.ts';
import { DataTable, type WebColumn } from '../parts/data-table.tsx';
import { Loading } from '../parts/error-note.tsx';
import { PageHead, Section } from '../parts/section.tsx';
import { Text, TextOrNone } from '../parts/text.tsx';
import { linkTo } from '../route.ts';
import { useTexts } from '../shell/reader.tsx';

type WebPerson = WebPeople['people'][number];
type WebTier = WebPeople['tiers'][number];

/** Who may do what. The settings of the worker decide it, and no page can change it. */
export function PeoplePage() {
  const t = useTexts();
  const { value, error } = useAnswer((signal) => callOperation('listPeople', {}, signal), {
    key: 'people',
  });
  return (
    <>
      <PageHead
        title={t.people.title}
        name={t.people.title}
        about={t.people.about}
        actions={
          <a class="button" href={linkTo(['passkey'])}>
            {t.signIn.make}
          </a>
        }
      />
      <Loading error={error} isEmpty={value === null} />
      {value === null ? null : (
        <>
          <Section title={t.people.people}>
            <PeopleTable people={value.people} />
          </Section>
          <Section
            title={t.people.rules}
            about={value.mode === null ? t.people.noRules : undefined}
          >
            <ul class="rules">
              {value.tiers.map((tier) => (
                <Rule key={`${tier.currency ?? ''} ${tier.above}`} {...tier} />
              ))}
            </ul>
          </Section>
        </>
      )}
    </>
  );
}

function PeopleTable({ people }: { people: readonly WebPerson[] }) {
  const t = useTexts();
  const columns: readonly WebColumn<WebPerson>[] = [
    { label: t.people.name, show: ({ name }) => <Text>{name}</Text> },
    {
      label: t.people.approvesAs,
      show: ({ roles }) => <TextOrNone>{roles.join(', ')}</TextOrNone>,
    },
    { label: t.people.may, show: ({ webRole }) => t.roles[webRole] },
    { label: t.people.key, show: ({ key }) => t.people.keys[key] },
    { label: t.people.users, show: ({ users }) => <TextOrNone>{users.join(', ')}</TextOrNone> },
  ];
  return (
    <DataTable
      caption={t.people.people}
      columns={columns}
      rows={people}
      keyOf={({ name }) => name}
      empty={t.people.none}
    />
  );
}

function Rule({ currency, above, approvals, mustInclude, mayApprove }: WebTier) {
  const t = useTexts();
  const what = currency === null ? t.people.anyCurrency : currencyText(currency);
  return (
    <li>
      <p>
        <strong>
          {above === '0'
            ? t.people.anyAmount(what)
            : t.people.rule(amountText(above, currency ?? ''), what)}
        </strong>{' '}
        {t.people.needs(approvals)} <Text>{mayApprove.join(', ')}</Text>
      </p>
      {mustInclude.length === 0 ? null : (
        <p class="fine">
          {t.people.mustInclude} <Text>{mustInclude.join(', ')}</Text>
        </p>
      )}
    </li>
  );
}

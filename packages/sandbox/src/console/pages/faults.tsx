import type { AdminFault } from '@bursar/sandbox/admin';
import { callAdmin } from '../api/call-admin.ts';
import { useAnswer } from '../api/use-answer.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { type DataColumn, DataTable } from '../parts/data-table.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { PageHead, Section } from '../parts/section.tsx';
import { None, Text, Word } from '../parts/text.tsx';
import { AddFault } from './add-fault.tsx';

/** The faults in force. */
export function FaultsPage() {
  const { value, error } = useAnswer('GET /faults');
  const count = value?.faults.length ?? 0;
  return (
    <>
      <PageHead title="Faults" name="Faults" about="Failures on demand." />
      <AddFault />
      <Section
        title="In force"
        about="Drawn counts the requests or events that the fault could have hit."
        actions={
          count === 0 ? undefined : (
            <ActionButton
              label="Remove all"
              kind="danger"
              question={<p>{count === 1 ? 'The fault is' : `All ${count} faults are`} removed.</p>}
              work={async () => {
                await callAdmin('DELETE /faults');
                return 'Removed all faults.';
              }}
            />
          )
        }
      >
        <ErrorNote what="The faults cannot be read." error={error} />
        {value === null ? null : (
          <DataTable
            caption="Faults in force, in the order in which they are asked"
            columns={COLUMNS}
            rows={value.faults}
            keyOf={({ id }) => id}
            empty="No faults are set."
          />
        )}
      </Section>
    </>
  );
}

const remove = async (id: number): Promise<string> => {
  await callAdmin('DELETE /faults', { query: { id } });
  return `Removed fault ${id}.`;
};

const COLUMNS: readonly DataColumn<AdminFault>[] = [
  { label: 'Kind', show: ({ kind }) => <Word>{kind}</Word> },
  { label: 'Target', show: ({ target }) => <Word>{target}</Word> },
  { label: 'With', show: (fault) => <Rule fault={fault} /> },
  { label: 'Drawn', isNumber: true, show: ({ drawn }) => drawn },
  { label: 'Fired', isNumber: true, show: ({ fired }) => fired },
  {
    label: 'Act',
    isLabelHidden: true,
    show: ({ id, kind }) => (
      <ActionButton label="Remove" about={`fault ${id}, ${kind}`} work={() => remove(id)} />
    ),
  },
];

function Rule({ fault }: { fault: AdminFault }) {
  const { id: _id, target: _target, kind: _kind, drawn: _drawn, fired: _fired, ...rule } = fault;
  const parts = Object.entries(rule).map(([name, value]) => `${name} ${String(value)}`);
  return parts.length === 0 ? <None /> : <Text>{parts.join(', ')}</Text>;
}

import { callAdmin } from '../api/call-admin.ts';
import { useAnswer } from '../api/use-answer.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { ActionForm } from '../parts/action-form.tsx';
import { Badge } from '../parts/badge.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Field } from '../parts/field.tsx';
import { Section } from '../parts/section.tsx';
import { Time } from '../parts/time.tsx';

const PRESETS = [
  ['5 minutes slow', -300_000],
  ['5 minutes fast', 300_000],
] as const;

/** How far the service's clock is off. */
export function ClockSection() {
  const { value, error } = useAnswer('GET /clock');
  return (
    <Section
      title="Clock"
      about="The service's clock. It sets the Date header and the check of timestamps."
    >
      <ErrorNote what="The clock cannot be read." error={error} />
      {value === null ? null : (
        <>
          <p class="said">
            It shows <Time value={value.time} /> and is off by {value.offsetMs} ms.{' '}
            {value.override === null ? null : <Badge tone="wait">changed</Badge>}
          </p>
          <ActionForm
            label="Clock"
            submit="Set"
            send={({ text }) => change(Number(text('offsetMs')))}
            more={
              <>
                {PRESETS.map(([name, offsetMs]) => (
                  <ActionButton key={name} label={name} work={() => change(offsetMs)} />
                ))}
                {value.override === null ? null : (
                  <ActionButton label="Reset" about="the clock" work={() => change(null)} />
                )}
              </>
            }
          >
            <Field label="Offset in milliseconds" hint="Below 0 the clock is slow.">
              <input name="offsetMs" type="number" required />
            </Field>
          </ActionForm>
        </>
      )}
    </Section>
  );
}

async function change(offsetMs: number | null): Promise<string> {
  const clock = await callAdmin('PUT /clock', { body: { offsetMs } });
  return `The clock is off by ${clock.offsetMs} ms.`;
}

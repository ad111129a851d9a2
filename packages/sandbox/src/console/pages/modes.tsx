import type {
  AdminModeRange,
  AdminModeValue,
  AdminModeValues,
  AdminModes,
} from '@bursar/sandbox/admin';
import { callAdmin } from '../api/call-admin.ts';
import { useAction } from '../api/use-action.ts';
import { useAnswer } from '../api/use-answer.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Badge } from '../parts/badge.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { PageHead, Section } from '../parts/section.tsx';
import { ClockSection } from './clock.tsx';
import { ModeControl, modeText } from './mode-control.tsx';
import { MODE_TEXTS } from './mode-texts.ts';

/** Choices for the points that the specification leaves open. */
export function ModesPage() {
  const modes = useAnswer('GET /modes');
  const ranges = useAnswer('GET /modes/values', { once: true });
  const overrides = modes.value?.overrides ?? {};
  const changed = Object.keys(overrides).length;
  return (
    <>
      <PageHead
        title="Modes"
        name="Modes"
        about="Choices for the points that the specification leaves open. A change takes effect at once and survives a restart."
        actions={
          changed === 0 ? undefined : (
            <ActionButton
              label="Reset all"
              question={
                <p>
                  {changed === 1 ? 'One mode follows' : `${changed} modes follow`} the settings
                  again.
                </p>
              }
              work={async () => {
                await put({});
                return 'Every mode follows the settings.';
              }}
            />
          )
        }
      />
      <ErrorNote what="The modes cannot be read." error={modes.error ?? ranges.error} />
      {modes.value === null || ranges.value === null ? null : (
        <Section title="Every mode">
          <ul class="modes">
            {Object.entries(ranges.value.values).map(([name, range]) => (
              <ModeLine
                key={name}
                name={name}
                range={range}
                modes={modes.value as AdminModes}
                settings={ranges.value?.settings ?? {}}
              />
            ))}
          </ul>
        </Section>
      )}
      <ClockSection />
    </>
  );
}

const put = (overrides: AdminModeValues): Promise<AdminModes> =>
  callAdmin('PUT /modes', { body: overrides });

type ModeLineProps = Readonly<{
  name: string;
  range: AdminModeRange;
  modes: AdminModes;
  settings: AdminModeValues;
}>;

function ModeLine({ name, range, modes: { modes, overrides }, settings }: ModeLineProps) {
  const action = useAction();
  const isChanged = Object.hasOwn(overrides, name);
  const setting = modeText(settings[name] ?? null);
  const choose = (value: AdminModeValue): void =>
    void action.run(async () => {
      await put({ ...overrides, [name]: value });
      return `${name} is ${modeText(value)} now.`;
    });
  const reset = async (): Promise<string> => {
    const { [name]: _, ...others } = overrides;
    await put(others);
    return `${name} is ${setting} again.`;
  };
  return (
    <li class={isChanged ? 'changed' : undefined}>
      <div class="mode-name">
        <strong class="word">{name}</strong>
        {isChanged ? <Badge tone="wait">changed</Badge> : null}
        <p class="fine" id={`about-${name}`}>
          {MODE_TEXTS[name]}
        </p>
      </div>
      <div class="mode-value">
        <ModeControl
          // A refused value must not look like the chosen one, so the control is created again.
          key={action.error === null ? 'kept' : 'refused'}
          name={name}
          range={range}
          value={modes[name] ?? null}
          onChoose={choose}
        />
        {isChanged ? (
          <p class="fine">
            The setting is {setting}. <ActionButton label="Reset" about={name} work={reset} />
          </p>
        ) : null}
        <ErrorNote what="Not changed." error={action.error} />
      </div>
    </li>
  );
}

import type {
  AdminModeRange,
  AdminModes,
  AdminModeValue,
  AdminModeValues,
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

/** One sentence for each mode. README.md, "Modes", has the details. */
const MODE_TEXTS: Readonly<Record<string, string>> = {
  idempotency: 'The answer to a repeated idempotencyKey.',
  keyTtlMs: 'How long key-ttl keeps a key, in milliseconds.',
  timestampWindowMs:
    'How far the timestamp of a request may be from the clock of the service, in milliseconds.',
  lookupLagMs: 'How long a lookup by key misses a new mass payout, in milliseconds.',
  lookupByKey: 'Whether a lookup by idempotencyKey finds anything.',
  createRequires: 'The required fields of a create.',
  massGetAccepts: 'The bodies that the mass payout operation accepts.',
  accountIn: 'Which operations carry an account.',
  accountCase: 'Whether the case of a hexadecimal account id counts.',
  timestampUnit: 'The unit of the timestamp in a request.',
  pageBase: 'The number of the first page of a list.',
  withdrawalsMax: 'The most rows in one mass payout.',
  requestsPerSecond: 'Requests that one key may make in a second. More get 429.',
  webhookPortMin: 'The lowest port of a receiver of webhooks besides 80 and 443.',
  subscriptionsMax: 'The most webhook subscriptions of an account.',
  pageSizeMax: 'The most objects on a page of a list.',
  bodyBytesMax: 'The most bytes of the body of a request.',
  unknownPath: 'The answer on a path that is not served.',
  bodies: 'Whether the log keeps the bodies of requests and answers.',
  retryAfter: 'Whether a 429 has the header Retry-After.',
  testAddresses: 'Whether test addresses decide the result of a new mass payout.',
  accountId: 'The form of an account id.',
  numbers: 'How answers write amounts.',
  extraFields: 'Whether answers have undocumented fields.',
  answerWrapper: 'Whether answers that the specification does not show are in data.',
  errorDates: 'The dates of failures of a subscription without any.',
  errorStatus: 'The HTTP status of a refusal.',
  errorCode: 'The errorCode of a refusal.',
  webhookBody: 'The shape of the body of a webhook.',
  webhookSignature: 'How a webhook is signed.',
};

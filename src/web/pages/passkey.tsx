import { useState } from 'preact/hooks';
import { isPlainName } from '../../domain/approval/people.ts';
import { useAction } from '../api/use-action.ts';
import { Copy } from '../parts/copy.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Field } from '../parts/field.tsx';
import { PageHead } from '../parts/section.tsx';
import { makePasskey } from '../passkey/ask.ts';
import { readChallenge } from '../passkey/session.ts';
import { useTexts } from '../shell/reader.tsx';
import { useSession } from '../shell/session.tsx';

/** Makes a passkey, and shows the line of the settings that lets its owner in. */
export function PasskeyPage() {
  const t = useTexts();
  const action = useAction();
  const session = useSession();
  const [name, setName] = useState(session?.person ?? '');
  const [key, setKey] = useState<string | null>(null);
  const isName = isPlainName(name);
  const make = (): Promise<boolean> =>
    action.run(async () => {
      const { rpId } = await readChallenge();
      setKey(await makePasskey(name, rpId));
      return t.passkey.made;
    });
  return (
    <div class="card">
      <PageHead title={t.passkey.title} name={t.passkey.title} about={t.passkey.about} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isName && key === null) void make();
        }}
      >
        <div class="fields">
          <Field
            label={t.passkey.name}
            hint={t.passkey.nameHint}
            error={name === '' || isName ? undefined : t.passkey.nameWrong}
          >
            <input
              required
              autocomplete="username"
              maxLength={64}
              value={name}
              onInput={(event) => {
                setName(event.currentTarget.value);
                // A passkey has the name that it was made with.
                setKey(null);
              }}
            />
          </Field>
        </div>
        <ErrorNote what={t.passkey.failed} error={action.error} />
        <div class="form-actions">
          <button
            type="submit"
            class="first"
            aria-disabled={action.isRunning || !isName || key !== null}
          >
            {t.passkey.button}
          </button>
        </div>
      </form>
      {key === null ? null : (
        <div class="note good" role="status">
          <p>
            <strong>{t.passkey.made}</strong>{' '}
            {session === null ? t.passkey.hand : t.passkey.handKnown}
          </p>
          <pre class="lines" tabIndex={0} aria-label={t.passkey.line}>
            {settingsLines(name, key)}
          </pre>
          <Copy value={settingsLines(name, key)} what={t.passkey.line} />
        </div>
      )}
    </div>
  );
}

/** The entry of the settings. A name and a key have no character that TOML would read otherwise. */
const settingsLines = (name: string, key: string): string =>
  `[[approval.people]]\nname = "${name}"\npublic_key = "${key}"`;

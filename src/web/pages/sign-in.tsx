import { useEffect, useRef } from 'preact/hooks';
import type { FailureFacts } from '../api/call.ts';
import { useAction } from '../api/use-action.ts';
import { useAnswer } from '../api/use-answer.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { PageHead } from '../parts/section.tsx';
import { Text } from '../parts/text.tsx';
import { leaveForProvider, readProvider } from '../passkey/provider.ts';
import { signIn } from '../passkey/session.ts';
import { linkTo, useRoute } from '../route.ts';
import { Brand, ReaderChoices } from '../shell/brand.tsx';
import { useTexts } from '../shell/reader.tsx';
import { PasskeyPage } from './passkey.tsx';

type SignInPageProps = Readonly<{
  /** Whether the session of the person has ended by itself. */
  isEnded: boolean;
  onDone(): void;
}>;

/** The page of a person without a session. After it they are where they wanted to be. */
export function SignInPage({ isEnded, onDone }: SignInPageProps) {
  const t = useTexts();
  const { path, query } = useRoute();
  const action = useAction();
  const main = useRef<HTMLElement>(null);
  useEffect(() => main.current?.focus(), []);
  const start = async (): Promise<void> => {
    const isIn = await action.run(async () => {
      await signIn();
      return t.signIn.done;
    });
    if (isIn) onDone();
  };
  return (
    <div class="outside">
      <header class="outside-head">
        <Brand />
        <ReaderChoices />
      </header>
      <main id="main" class="alone" ref={main} tabIndex={-1}>
        {path[0] === 'passkey' ? (
          <>
            <PasskeyPage />
            <p>
              <a href={linkTo([])}>{t.signIn.back}</a>
            </p>
          </>
        ) : (
          <div class="card sign-in">
            <PageHead title={t.signIn.title} name={t.signIn.title} about={t.signIn.about} />
            {isEnded ? (
              <p class="note wait" role="status">
                {t.signIn.ended}
              </p>
            ) : null}
            <button
              type="button"
              class="first large"
              aria-disabled={action.isRunning}
              onClick={() => void start()}
            >
              {action.isRunning ? t.signIn.running : t.signIn.button}
            </button>
            <AtProvider />
            <ErrorNote
              what={t.signIn.failed}
              error={action.error ?? refusalOf(query.get('refused'))}
            />
            <p class="fine">
              {t.signIn.none} <a href={linkTo(['passkey'])}>{t.signIn.make}</a>
            </p>
          </div>
        )}
      </main>
    </div>
  );
}

/** Another way to sign in, where the settings name one. */
function AtProvider() {
  const t = useTexts();
  const action = useAction();
  const { value: name } = useAnswer(readProvider, { key: 'provider' });
  if (name === null) return null;
  const leave = async (): Promise<string> => {
    await leaveForProvider();
    return '';
  };
  return (
    <>
      <button
        type="button"
        class="large"
        aria-disabled={action.isRunning}
        onClick={() => void action.run(leave)}
      >
        {t.signIn.provider} <Text>{name}</Text>
      </button>
      <ErrorNote what={t.signIn.failed} error={action.error} />
    </>
  );
}

const REFUSALS = ['OIDC_DENIED', 'OIDC_REFUSED', 'OIDC_PERSON_UNKNOWN', 'OIDC_UNREACHABLE'];

/** Why the server sent the person back without a session. An address may hold anything: only its known codes count. */
const refusalOf = (code: string | null): FailureFacts | null =>
  code !== null && REFUSALS.includes(code)
    ? { status: null, code, what: '', why: '', fix: '' }
    : null;

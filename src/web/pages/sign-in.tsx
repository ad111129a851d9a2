import { useEffect, useRef } from 'preact/hooks';
import { useAction } from '../api/use-action.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { PageHead } from '../parts/section.tsx';
import { signIn } from '../passkey/session.ts';
import { linkTo, useRoute } from '../route.ts';
import { Brand, ReaderChoices } from '../shell/brand.tsx';
import { useTexts } from '../shell/reader.tsx';
import { PasskeyPage } from './passkey.tsx';

/** The page of a person without a session. After it they are where they wanted to be. */
export function SignInPage({ onDone }: { onDone(): void }) {
  const t = useTexts();
  const { path } = useRoute();
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
            <button
              type="button"
              class="first large"
              aria-disabled={action.isRunning}
              onClick={() => void start()}
            >
              {action.isRunning ? t.signIn.running : t.signIn.button}
            </button>
            <ErrorNote what={t.signIn.failed} error={action.error} />
            <p class="fine">
              {t.signIn.none} <a href={linkTo(['passkey'])}>{t.signIn.make}</a>
            </p>
          </div>
        )}
      </main>
    </div>
  );
}

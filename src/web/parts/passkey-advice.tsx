import { linkTo } from '../route.ts';
import { useTexts } from '../shell/reader.tsx';
import { useSigned } from '../shell/session.tsx';

/** How a person who cannot approve here gets a passkey. Shows nothing to a person who has one. */
export function PasskeyAdvice() {
  const t = useTexts();
  const { session } = useSigned();
  if (session.hasPasskey) return null;
  return (
    <div class="note wait">
      <p>
        <strong>{t.passkeyAdvice.title}</strong> {t.passkeyAdvice.about}
      </p>
      <ol>
        {t.passkeyAdvice.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p>
        <a class="button" href={linkTo(['passkey'])}>
          {t.signIn.make}
        </a>
      </p>
    </div>
  );
}

import { useReader } from '../shell/reader.tsx';
import type { PageSentence } from '../words/page-note.ts';
import { Text } from './text.tsx';

/** A sentence of a page. Words of the server are marked where the page has another language, so that a screen reader speaks them right. */
export function Said({ children: { text, isEnglish } }: { children: PageSentence }) {
  const { texts: t } = useReader();
  if (!isEnglish) return <Text>{text}</Text>;
  return (
    <>
      <span class="fine">{t.shell.inEnglish}</span>{' '}
      <span lang="en">
        <Text>{text}</Text>
      </span>
    </>
  );
}

type ServerTextProps = Readonly<{
  children: string;
  /** In a list, whose lines do not name their language one by one. */
  isInList?: boolean;
}>;

/** Words of the server that this language has no others for. */
export function ServerText({ children, isInList = false }: ServerTextProps) {
  const { language } = useReader();
  if (language === 'en' || children === '') return <Text>{children}</Text>;
  if (!isInList) return <Said>{{ text: children, isEnglish: true }}</Said>;
  return (
    <span lang="en">
      <Text>{children}</Text>
    </span>
  );
}

import { useTexts } from '../shell/reader.tsx';
import { type StateWord, toneOf } from '../words/states.ts';

/** A word with a colour. The colour adds nothing to the word. */
export const Badge = ({ tone, children }: { tone: string; children: string }) => (
  <span class={`badge ${tone}`}>{children}</span>
);

/** The state of a batch or a row in plain words. */
export function StateBadge({ word }: { word: StateWord }) {
  const t = useTexts();
  return <Badge tone={toneOf(word)}>{t.states[word]}</Badge>;
}

import type { Modes, ModeValue } from '../../sandbox/play-records.ts';
import { printable } from '../../terminal/printable.ts';
import { factLines } from '../../terminal/table.ts';

export const modeText = (value: ModeValue | undefined): string =>
  printable(String(value ?? 'none'));

/** Every mode on a line, for people. */
export const modeLines = ({ modes, overrides }: Modes): string[] =>
  factLines(
    Object.entries(modes).map(([name, value]) => {
      const text = modeText(value);
      return [printable(name), Object.hasOwn(overrides, name) ? `${text}  (set here)` : text];
    }),
  );

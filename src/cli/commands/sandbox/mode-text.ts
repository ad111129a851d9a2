import type { AdminModes, AdminModeValue } from '@bursar/sandbox/admin';
import { printable } from '../../terminal/printable.ts';
import { factLines } from '../../terminal/table.ts';

export const modeText = (value: AdminModeValue | undefined): string =>
  printable(String(value ?? 'none'));

/** Every mode on a line, for people. */
export const modeLines = ({ modes, overrides }: AdminModes): string[] =>
  factLines(
    Object.entries(modes).map(([name, value]) => {
      const text = modeText(value);
      return [printable(name), Object.hasOwn(overrides, name) ? `${text}  (set here)` : text];
    }),
  );

import type { AdminModeRange, AdminModeValue } from '@bursar/sandbox/admin';
import { Select } from '../parts/field.tsx';

/** The text of a mode, as in settings. */
export const modeText = (value: AdminModeValue): string =>
  value === null ? 'none' : String(value);

export type ModeControlProps = Readonly<{
  name: string;
  range: AdminModeRange;
  value: AdminModeValue;
  onChoose(value: AdminModeValue): void;
}>;

/**
 * Chooses a word of a list, or a number. An empty number means no limit, where the mode allows it.
 */
export function ModeControl({ name, range, value, onChoose }: ModeControlProps) {
  const common = { 'aria-label': name, 'aria-describedby': `about-${name}` };
  if (isList(range)) {
    return <Select {...common} options={range} value={modeText(value)} onChoose={onChoose} />;
  }
  return (
    <input
      {...common}
      // A refresh keeps a number that a person is typing. The key shows a change from elsewhere.
      key={modeText(value)}
      type="number"
      min={range.min}
      max={range.max}
      placeholder={range.canBeNull ? 'none' : ''}
      defaultValue={value === null ? '' : String(value)}
      onChange={({ currentTarget }) => {
        if (currentTarget.value !== '') onChoose(Number(currentTarget.value));
        else if (range.canBeNull) onChoose(null);
      }}
    />
  );
}

const isList = (range: AdminModeRange): range is readonly string[] => Array.isArray(range);

import type { AdminModeRange, AdminModeValue } from '@bursar/sandbox/admin';
import { Select } from '../parts/field.tsx';

/** A mode as it stands in settings. */
export const modeText = (value: AdminModeValue): string =>
  value === null ? 'none' : String(value);

export type ModeControlProps = Readonly<{
  name: string;
  range: AdminModeRange;
  value: AdminModeValue;
  onChoose(value: AdminModeValue): void;
}>;

/** Chooses one value of a list, or a number; an empty number is no limit where there can be none. */
export function ModeControl({ name, range, value, onChoose }: ModeControlProps) {
  const common = { 'aria-label': name, 'aria-describedby': `about-${name}` };
  if (isList(range)) {
    return <Select {...common} options={range} value={modeText(value)} onChoose={onChoose} />;
  }
  return (
    <input
      {...common}
      // What is typed is not overwritten by a refresh; what was changed elsewhere is shown.
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

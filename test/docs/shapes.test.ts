import { describe, expect, it } from '@jest/globals';
import { SHAPES } from '@bursar/merchant-api/spec';
import { MODE_VALUES } from '../../packages/sandbox/src/core/modes.ts';
import { read } from '../architecture/repository.ts';

/** The texts in code quotes of a cell. */
const quotedIn = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);

const cells = read('docs/shapes.md')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => line.split(' | '));

/** The rows with a mode: its name, its values, and what stands in the column of the option. */
const rows = cells
  .map(([, mode = '', option = '']) => ({ mode: quotedIn(mode), option: quotedIn(option) }))
  .map(({ mode: [name = '', ...values], option }) => ({ name, values, option }))
  .filter(({ name }) => !name.startsWith('BURSAR_'));

const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

describe('the table of docs/shapes.md', () => {
  it('has each mode of words once, with its values in their order', () => {
    const values = Object.fromEntries(rows.map((row) => [row.name, row.values]));
    expect(values).toEqual(MODE_VALUES);
    expect(rows).toHaveLength(Object.keys(MODE_VALUES).length);
  });

  it('has the option and the setting of each shape, and of nothing else', () => {
    const options = rows.filter(({ option }) => option.some((text) => text.startsWith('shapes.')));
    expect(options.map(({ name, option }) => [name, ...option.slice(0, 2)])).toEqual(
      Object.keys(SHAPES).map((name) => [name, `shapes.${name}`, snakeCase(name)]),
    );
  });

  it('has four full columns in each row', () => {
    expect(cells.filter((row) => row.length !== 4 || row.some((cell) => cell === ''))).toEqual([]);
  });
});

import { OPERATIONS, type ShapeChoices, type ShapeName, SHAPES } from '@bursar/merchant-api/spec';

/** Reads `NAME=VALUE` texts. Throws an error that names a wrong one. */
export function readShapes(texts: readonly string[]): ShapeChoices {
  const entries = texts.map((text) => {
    const [name = '', value = ''] = text.split('=', 2);
    if (!isShapeName(name) || !isValue(name, value)) throw new Error(usageOf(text));
    return [name, isListed(name, value) ? value : value.split(',')];
  });
  return Object.fromEntries(entries);
}

const isShapeName = (name: string): name is ShapeName => Object.hasOwn(SHAPES, name);

const isListed = (name: ShapeName, value: string): boolean =>
  (SHAPES[name] as readonly string[]).includes(value);

const isValue = (name: ShapeName, value: string): boolean =>
  isListed(name, value) ||
  (name === 'accountIn' && value.split(',').every((each) => isOperation(each)));

const isOperation = (name: string): boolean => (OPERATIONS as readonly string[]).includes(name);

const usageOf = (text: string): string =>
  [
    `--shape ${text} is none of these:`,
    ...Object.entries(SHAPES).map(([name, values]) => `  ${name}=${values.join('|')}`),
    '  accountIn=OPERATION,OPERATION,...',
  ].join('\n');

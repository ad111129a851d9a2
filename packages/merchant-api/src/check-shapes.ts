import { OPERATIONS, type Operation } from './spec/endpoints.ts';
import { DEFAULT_SHAPES, SHAPES, type ShapeName, type Shapes } from './spec/shapes.ts';

/**
 * Checks the option `shapes` and fills in the defaults. The message of the error names the option and never a value.
 *
 * @throws TypeError for an unknown name, a value that is not in the list, and an unknown operation.
 */
export function checkShapes(given: unknown): Shapes {
  if (given === undefined) return DEFAULT_SHAPES;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw shapesError('shapes', 'must be an object');
  }
  const shapes = new Map<string, unknown>(Object.entries(DEFAULT_SHAPES));
  for (const [name, value] of Object.entries(given)) {
    if (!isShapeName(name)) {
      throw shapesError('shapes', `has a name other than ${Object.keys(SHAPES).join(', ')}`);
    }
    if (value !== undefined) shapes.set(name, checkShape(name, value));
  }
  return Object.freeze(Object.fromEntries(shapes)) as Shapes;
}

const isShapeName = (name: string): name is ShapeName => Object.hasOwn(SHAPES, name);

function checkShape(name: ShapeName, value: unknown): unknown {
  const values: readonly unknown[] = SHAPES[name];
  if (values.includes(value)) return value;
  if (name !== 'accountIn') throw shapesError(`shapes.${name}`, `must be ${values.join(', ')}`);
  if (!Array.isArray(value) || !value.every(isOperation)) {
    throw shapesError('shapes.accountIn', `must be ${values.join(', ')}, or a list of operations`);
  }
  return Object.freeze([...value]);
}

const isOperation = (value: unknown): value is Operation =>
  (OPERATIONS as readonly unknown[]).includes(value);

const shapesError = (name: string, problem: string): TypeError =>
  new TypeError(`MerchantClientOptions: ${name} ${problem}.`);

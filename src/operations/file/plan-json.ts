/**
 * JSON of which two can be compared line by line: each member of an object has a line, and each item of a list. Only an
 * item that holds a list itself takes several.
 */
export const linesOfJson = (value: object): string => `${spread(value, '')}\n`;

function spread(value: unknown, indent: string): string {
  if (Array.isArray(value)) return list(value, indent);
  return isObject(value) ? object(value, indent) : JSON.stringify(value);
}

function object(value: object, indent: string): string {
  const inner = `${indent}  `;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return enclosed(
    '{}',
    members.map(([name, member]) => `${JSON.stringify(name)}: ${spread(member, inner)}`),
    indent,
  );
}

const list = (items: readonly unknown[], indent: string): string =>
  enclosed(
    '[]',
    items.map((item) => (holdsList(item) ? spread(item, `${indent}  `) : JSON.stringify(item))),
    indent,
  );

function enclosed(brackets: '{}' | '[]', parts: readonly string[], indent: string): string {
  const [open, close] = [brackets.charAt(0), brackets.charAt(1)];
  if (parts.length === 0) return brackets;
  return `${open}\n${parts.map((part) => `${indent}  ${part}`).join(',\n')}\n${indent}${close}`;
}

const holdsList = (item: unknown): boolean =>
  isObject(item) && Object.values(item).some((member) => Array.isArray(member));

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

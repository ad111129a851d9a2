/** MASS_CREATE as it is written in names of schemas: MassCreate. */
export const pascalCase = (constant: string): string =>
  constant
    .split('_')
    .map((word) => word.slice(0, 1) + word.slice(1).toLowerCase())
    .join('');

/** MASS_CREATE as it is written in names of operations: massCreate. */
export function camelCase(constant: string): string {
  const name = pascalCase(constant);
  return name.slice(0, 1).toLowerCase() + name.slice(1);
}

/** The schema of the body of an operation. */
export const requestName = (operation: string): string => `${pascalCase(operation)}Request`;

/** The schema of the webhooks of a group of events. */
export const eventName = (group: string): string => `${pascalCase(group)}Event`;

export const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });

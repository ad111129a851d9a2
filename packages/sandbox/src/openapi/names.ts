/** MassCreate for MASS_CREATE, for names of schemas. */
export const pascalCase = (constant: string): string =>
  constant
    .split('_')
    .map((word) => word.slice(0, 1) + word.slice(1).toLowerCase())
    .join('');

/** massCreate for MASS_CREATE, for names of operations. */
export function camelCase(constant: string): string {
  const name = pascalCase(constant);
  return name.slice(0, 1).toLowerCase() + name.slice(1);
}

/** The name of the schema of an operation's body. */
export const requestName = (operation: string): string => `${pascalCase(operation)}Request`;

/** The name of the schema of a group's webhooks. */
export const eventName = (group: string): string => `${pascalCase(group)}Event`;

export const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });

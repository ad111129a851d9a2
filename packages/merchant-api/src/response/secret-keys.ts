/**
 * The texts that stand under the name `secretKey`, at any depth; the reader of JSON bounds it.
 * A webhook subscription carries one. Spec: "Webhook subscription".
 */
export function findSecretKeys(json: unknown): string[] {
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([name, value]) =>
    name === 'secretKey' && typeof value === 'string' && value !== ''
      ? [value]
      : findSecretKeys(value),
  );
}

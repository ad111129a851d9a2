import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { DOCUMENT, type Schema } from './document.ts';

/** Returns the mistakes of a value. */
export type Check = (schema: Schema, value: unknown) => readonly string[];

/** Checks values against the document, and allows further fields. */
export const checkOpen = createCheck(DOCUMENT);

/**
 * Checks values against the document, and allows no further field.
 * The document leaves answers open, because the specification lets the service add fields at any
 * time. A generated client must not refuse them, but the sandbox must send only documented fields.
 */
export const checkClosed = createCheck(closed(DOCUMENT));

function createCheck(document: unknown): Check {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajvFormats.default(ajv);
  ajv.addSchema(document as object, 'openapi.json');
  const compiled = new Map<string, ValidateFunction>();
  const compile = (schema: Schema): ValidateFunction => {
    const ref = schema['$ref'];
    return ajv.compile(typeof ref === 'string' ? { $ref: `openapi.json${ref}` } : schema);
  };
  return (schema, value) => {
    const key = JSON.stringify(schema);
    const validate = compiled.get(key) ?? compile(schema);
    compiled.set(key, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      [instancePath, message, JSON.stringify(params)].join(' '),
    );
  };
}

/** Every object schema, changed to allow no further fields. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, closed(field)]),
  );
  const isObjectSchema = fields['type'] === 'object' && fields['properties'] !== undefined;
  return isObjectSchema ? { additionalProperties: false, ...fields } : fields;
}

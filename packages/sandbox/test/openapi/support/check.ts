import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { DOCUMENT, type Schema } from './document.ts';

/** Says what is wrong with a value, or nothing. */
export type Check = (schema: Schema, value: unknown) => readonly string[];

/** Checks values as the document says: with fields that it does not name. */
export const checkOpen = createCheck(DOCUMENT);

/**
 * Checks values as the document says, and that they have no field that it does not name. The
 * document leaves answers open, because the specification says that fields may be added at any time
 * and that clients must ignore them; a generated client must not refuse them. The sandbox itself
 * must send nothing that the document does not tell.
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

/** Every object schema with fields, without room for others. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, closed(field)]),
  );
  const isObjectSchema = fields['type'] === 'object' && fields['properties'] !== undefined;
  return isObjectSchema ? { additionalProperties: false, ...fields } : fields;
}

import { isObject } from '../../domain/json/is-object.ts';
/** The values that a bundle must not hold. `secrets`: each as its bytes or its text. */
export type Redaction = Readonly<{ secrets: readonly (string | Uint8Array)[]; addresses: boolean }>;

/** A shorter word occurs in ordinary text, and no secret is that short. */
const SECRET_LENGTH_MIN = 8;

const HIDDEN_SECRET = '[secret]';
const HIDDEN_WORD = '[hidden]';

/** Longer than any word that people write, and as long as the shortest address of the networks. */
const LONG_WORD = /[A-Za-z0-9][A-Za-z0-9_-]{24,}/g;
/** Names that the service and Bursar give to things. */
const HARMLESS = /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[a-z]+(?:[_-][a-z]+)*|[A-Z_]+)$/;

/** Fields whose values are names and hashes of Bursar or the service, and never free text. */
const NAME_FIELDS: ReadonlySet<string> = new Set([
  ...['schema', 'batchId', 'parentBatchId', 'childBatchId', 'workflowId', 'externalId'],
  ...['idempotencyKey', 'massPayoutId', 'traceId', 'digest', 'subject', 'sha256'],
  ...['hash', 'previousHash', 'withdrawalId', 'node', 'platform'],
]);

/**
 * The value without secrets in any form. Unless `addresses` are wanted, it also holds no long word that could be an
 * address, in any text of people and services.
 */
export function redact(value: unknown, redaction: Redaction): unknown {
  const forms = redaction.secrets.flatMap(formsOf).sort((one, other) => other.length - one.length);
  const clean = (text: string, isName: boolean): string => {
    const told = forms.reduce((rest, form) => rest.replaceAll(form, HIDDEN_SECRET), text);
    return isName || redaction.addresses ? told : told.replaceAll(LONG_WORD, hideWord);
  };
  const walk = (part: unknown, field: string): unknown => {
    if (typeof part === 'string') return clean(part, NAME_FIELDS.has(field));
    if (Array.isArray(part)) return part.map((one) => walk(one, field));
    if (!isObject(part)) return part;
    const entries = Object.entries(part).map(([name, one]) => [
      clean(name, false),
      walk(one, name),
    ]);
    return Object.fromEntries(entries);
  };
  return walk(value, '');
}

const hideWord = (word: string): string => (HARMLESS.test(word) ? word : HIDDEN_WORD);

/** Every way in which a secret could stand in a text: as it is, and as programs write it. */
export function formsOf(secret: string | Uint8Array): string[] {
  const bytes = Buffer.from(secret);
  const text = typeof secret === 'string' ? secret : bytes.toString('base64');
  const forms = [
    ...[text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)],
    ...[bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')],
    ...[bytes.toString('hex'), bytes.toString('hex').toUpperCase()],
  ];
  return [...new Set(forms)].filter((form) => form.length >= SECRET_LENGTH_MIN);
}

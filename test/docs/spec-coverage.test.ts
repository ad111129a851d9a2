import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { API_OPERATIONS } from '../../src/cli/commands/api/table.ts';
import { CHECKS } from '../../packages/conformance/src/suite.ts';
import {
  DEFAULT_ENDPOINTS,
  KNOWN_ENDPOINTS,
  OPERATIONS,
  EVENT_TYPES_OF_GROUP,
  EVENT_GROUPS,
  EVENT_TYPES,
  FEE_OPERATION_TYPES,
  FEE_TYPES,
  PAYOUT_STATES,
  WITHDRAWAL_ERROR_STATUS_SUCCESS,
  USER_ROLES,
  OPERATION_CODES,
} from '@bursar/merchant-api/spec';
import * as limits from '../../packages/merchant-api/src/spec/limits.ts';
import * as webhooks from '../../packages/merchant-api/src/spec/webhooks.ts';
import { ROOT, read } from '../architecture/repository.ts';
import { namesIn, parseCoverage, type Row, type Section } from './support/coverage-table.ts';
import { documentedSchemas } from './support/documented-schemas.ts';
import { ROWS_OF_SECTION } from './support/rows-of-section.ts';

const { sections, labels, targets } = parseCoverage(read('docs/spec-coverage.md'));

/** It says what is missing, and so proves nothing. */
const GAPS = 'What is not there';
const tables = sections.filter((section) => section.title !== GAPS && section.rows.length > 0);
const rows = tables.flatMap((section) => section.rows);

const rowsIn = (title: string): readonly Row[] => sectionOf(title).rows;

function sectionOf(title: string): Section {
  const found = sections.find((section) => section.title === title);
  if (found === undefined) throw new Error(`there is no section ${title}`);
  return found;
}

/** The text of a row, for complaints. */
const textOf = ({ section, subject }: Row): string => `${section}: ${subject}`;

describe('the table of the specification', () => {
  it('has the expected number of rows in each section', () => {
    const counts = Object.fromEntries(tables.map(({ title, rows: own }) => [title, own.length]));
    expect(counts).toEqual(ROWS_OF_SECTION);
    expect(tables).toHaveLength(Object.keys(ROWS_OF_SECTION).length);
  });

  it('has each part once', () => {
    const texts = rows.filter(({ section }) => section !== 'Mass payout moves').map(textOf);
    expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([]);
  });

  it('has for every row its place in client and sandbox, and its proof', () => {
    const isProven = ({ cells, proofs }: Row): boolean =>
      cells['proof'] !== '' && proofs.some(({ kind }) => kind !== 'other');
    const isOpen = ({ subject, cells }: Row): boolean =>
      subject.endsWith('not shown.') && cells['proof'] === 'nothing to prove';
    const poor = rows.filter(
      (row) => row.client === '' || row.sandbox === '' || !(isProven(row) || isOpen(row)),
    );
    expect(poor.map(textOf)).toEqual([]);
  });

  it('has whole code spans: each backtick ends what another one began', () => {
    const damaged = rows.filter(({ cells }) =>
      Object.values(cells).some((cell) => cell.includes('``') || cell.split('`').length % 2 === 0),
    );
    expect(damaged.map(textOf)).toEqual([]);
  });

  it('has no proof that is neither a check nor a test', () => {
    const others = rows.flatMap(({ proofs }) =>
      proofs.flatMap((proof) => (proof.kind === 'other' ? [proof.text] : [])),
    );
    expect([...new Set(others)]).toEqual(['nothing to prove']);
  });
});

describe('the parts that the table names', () => {
  it('are files that exist, each by a link of its own', () => {
    expect(labels.filter((label) => !targets.has(label))).toEqual([]);
    expect([...targets.keys()].filter((label) => !labels.includes(label))).toEqual([]);
    const paths = [...targets.values()].map((target) => join('docs', target));
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(paths.length).toBeGreaterThan(100);
  });

  it('are tests that exist in their files', () => {
    const cited = rows.flatMap(({ proofs }) =>
      proofs.flatMap((proof) =>
        proof.kind === 'tests' ? proof.names.map((name) => [proof.label, name] as const) : [],
      ),
    );
    const isMissing = ([label, name]: readonly [string, string]): boolean =>
      !testNamesOf(label).has(name);
    expect(cited.filter(isMissing)).toEqual([]);
    expect(cited.length).toBeGreaterThan(rows.length);
  });

  it('are checks of the conformance suite, and all of them', () => {
    const cited = new Set(rows.flatMap(({ proofs }) => proofs.flatMap(idsOf)));
    expect([...cited].toSorted()).toEqual(CHECKS.map(({ id }) => id).toSorted());
  });

  it('are checks of the field that the row is about', () => {
    const fields = rows.filter(({ cells }) => 'field' in cells);
    const wrong = fields.flatMap((row) =>
      row.proofs.flatMap(idsOf).filter((id) => {
        const checked = FIELD_OF_CHECK.get(id);
        return checked !== undefined && checked !== lastName(namesIn(row.subject)[0] ?? '');
      }),
    );
    expect(wrong).toEqual([]);
    expect(FIELD_OF_CHECK.size).toBeGreaterThan(200);
  });
});

const idsOf = (proof: Row['proofs'][number]): readonly string[] =>
  proof.kind === 'checks' ? proof.ids : [];

const lastName = (path: string): string => path.split('.').at(-1) ?? '';

/** The field of each check that is about one field: "Wallet: `name` string, required." */
const FIELD_OF_CHECK: ReadonlyMap<string, string> = new Map(
  CHECKS.flatMap(({ id, sentence }) => {
    const [, field] = /: `([\w.[\]]+)` .*\.$/.exec(sentence) ?? [];
    return field === undefined ? [] : [[id, lastName(field)] as const];
  }),
);

/** The names that stand in a test file as the first argument of `it` or of a table of tests. */
function testNamesOf(label: string): ReadonlySet<string> {
  const path = join('docs', targets.get(label) ?? '');
  const literals = read(path).matchAll(/\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")\s*,/g);
  return new Set(
    [...literals].map(([, single, double]) => (single ?? double ?? '').replaceAll("\\'", "'")),
  );
}

describe('the operations', () => {
  const operations = rowsIn('Operations');

  it('are all there, in their order, with their paths', () => {
    const told = operations.map(({ subject, cells }) => [subject, cells['path'], cells['path is']]);
    expect(told).toEqual(
      OPERATIONS.map((operation) => [
        `\`${operation}\``,
        `\`${DEFAULT_ENDPOINTS[operation]}\``,
        operation in KNOWN_ENDPOINTS ? 'shown' : 'assumed',
      ]),
    );
  });

  it('can each be called from the shell', () => {
    const commands = operations.flatMap(({ cells }) => namesIn(cells['`bursar api`'] ?? ''));
    expect(commands).toHaveLength(OPERATIONS.length);
    const known = API_OPERATIONS.flatMap((section) => section.operations.map(({ name }) => name));
    expect(commands.filter((command) => !known.includes(command))).toEqual([]);
  });

  it("have the names of the merchant's acts", () => {
    const named = rowsIn('What the service does').flatMap(({ client }) => namesIn(client));
    expect(OPERATIONS.filter((operation) => !named.includes(operation))).toEqual([]);
  });
});

describe('the lists of the specification', () => {
  const subjects = (title: string): string[] =>
    rowsIn(title).flatMap(({ subject }) => namesIn(subject));

  it('are whole: states', () => {
    expect(subjects('Payout states')).toEqual(PAYOUT_STATES);
  });

  it('are whole: groups of events, with how many types they have', () => {
    expect(subjects('Event groups')).toEqual(EVENT_GROUPS);
    const counts = rowsIn('Event groups').map(({ cells }) =>
      Number.parseInt(cells['event types (their group is assumed)'] ?? '', 10),
    );
    expect(counts).toEqual(EVENT_GROUPS.map((group) => EVENT_TYPES_OF_GROUP[group].length));
  });

  it('are whole: types of events, each with its group', () => {
    expect(subjects('Event types')).toEqual(EVENT_TYPES);
    const strange = rowsIn('Event types').filter(({ subject, cells }) => {
      const group = EVENT_GROUPS.find((name) => cells['group'] === `\`${name}\``);
      const types: readonly string[] = group === undefined ? [] : EVENT_TYPES_OF_GROUP[group];
      return !types.includes(namesIn(subject)[0] ?? '');
    });
    expect(strange.map(textOf)).toEqual([]);
  });

  it.each<[string, string, readonly string[]]>([
    ['User, company and permissions', '`userFullInfo.roles`', USER_ROLES],
    ['Operation codes (PGSettlementOpCodesResponseDTO)', '`opCodes`', OPERATION_CODES],
    ['Fee calculation request', '`items[].opType`', FEE_OPERATION_TYPES],
    ['Fee calculation request', '`items[].feeType`', FEE_TYPES],
  ])('are whole: %s, %s', (title, field, values) => {
    const row = rowsIn(title).find(({ subject }) => subject === field);
    const words = row?.cells['rule']?.match(/\b[A-Z_]{3,}\b/g) ?? [];
    expect(words).toEqual(values);
  });

  it('have their single values', () => {
    const texts = rows.flatMap(({ cells }) => Object.values(cells)).join('\n');
    const { HEADER_KEY, HEADER_SIGN, CONTENT_TYPE_JSON, ACCOUNT_ID_PATTERN } = limits;
    const headers = [HEADER_KEY, HEADER_SIGN, CONTENT_TYPE_JSON];
    const values = [WITHDRAWAL_ERROR_STATUS_SUCCESS, ...headers, ACCOUNT_ID_PATTERN.source];
    expect(values.filter((value) => !texts.includes(`\`${value}\``))).toEqual([]);
  });
});

describe('the limits', () => {
  const numbers = Object.entries({ ...limits, ...webhooks }).flatMap(([name, value]) =>
    typeof value === 'number' ? [[name, value] as const] : [],
  );

  it.each(numbers)('have %s with its value %s', (name, value) => {
    const row = rowsIn('Limits').find(({ subject }) => namesIn(subject).includes(name));
    expect(row?.cells['value']).toMatch(new RegExp(`\\b${value}\\b`));
  });

  it('are numbers', () => {
    expect(numbers.length).toBeGreaterThan(10);
  });
});

describe('the schemas of docs/openapi.json', () => {
  /** Under which sections a schema stands, and at which place in the records of each. */
  const placesOf = (name: string): { section: Section; at: string }[] =>
    sections.flatMap((section) =>
      [...(section.notes['OpenAPI'] ?? '').matchAll(/`(\w+)`(?: at `([^`]+)`)?/g)].flatMap(
        ([, schema, at = '']) => (schema === name ? [{ section, at }] : []),
      ),
    );

  it.each(documentedSchemas())('have every field in the table: %s', (name, fields) => {
    const places = placesOf(name);
    expect(places).not.toEqual([]);
    for (const { section, at } of places) {
      // The payload of a request has a table of its own, beside that of its envelope.
      const isPayload = at === 'payload';
      const told = section.rows.flatMap(({ subject }) => namesIn(subject));
      const wanted = fields.flatMap((field) => {
        if (!isPayload) return [at === '' ? field : `${at}.${field}`];
        return field.startsWith('payload.') ? [field.slice('payload.'.length)] : [];
      });
      expect(wanted.filter((field) => !told.includes(field))).toEqual([]);
      expect(wanted).not.toEqual([]);
    }
  });
});

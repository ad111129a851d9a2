import { describe, expect, it } from '@jest/globals';
import {
  digestOf,
  digestOfParts,
  PLAN_PARTS,
  type PlanFacts,
  type PlanPart,
  partsOf,
} from '../../../src/domain/plan/digest.ts';
import {
  changedParts,
  confirmedFindings,
  notesOf,
} from '../../../src/domain/plan/expected-plan.ts';
import type { Finding } from '../../../src/domain/plan/finding.ts';
import { POLICY, RULES } from './support/house-rules.ts';

const FINDING: Finding = {
  code: 'DUPLICATE_ROW',
  count: 2,
  examples: [{ row: 3, detail: 'same as row 2' }],
};

const CHUNK = {
  chunk: 0,
  currency: 'TRX',
  rowCount: 2,
  total: '3',
  rowsSha256: 'r',
  idempotencyKey: 'k',
};

const PLAN: PlanFacts = {
  account: '0x0000000000000000000000000000000000000001',
  batchId: 'payroll',
  generation: 0,
  fileSha256: 'f',
  contentSha256: 'c',
  rows: 2,
  refusedRows: 0,
  choices: {
    currency: null,
    at: null,
    executionDate: null,
    fundsWaitMs: null,
    beforeScheduled: false,
    skipInvalid: false,
    expectCount: null,
    expectTotals: [],
    rowTag: 'append',
    canaryRows: 0,
    stopLoss: [],
  },
  accepted: ['UNKNOWN_NETWORK', 'DUPLICATE_ROW'],
  findings: [FINDING, { code: 'ADDRESS_BURN', count: 1, examples: [] }],
  rules: RULES,
  chunks: [CHUNK],
};

const choosing = (change: Partial<PlanFacts['choices']>): Partial<PlanFacts> => ({
  choices: { ...PLAN.choices, ...change },
});
const finding = (change: Partial<Finding>): Partial<PlanFacts> => ({
  findings: [{ ...FINDING, ...change }, ...PLAN.findings.slice(1)],
});
const KNOWN = { knownAbove: [{ currency: 'TRX', amount: '5' }], paidBefore: true };

const ruling = (change: Partial<PlanFacts['rules']>): Partial<PlanFacts> => ({
  rules: { ...RULES, ...change },
});
const chunked = (change: Partial<typeof CHUNK>): Partial<PlanFacts> => ({
  chunks: [{ ...CHUNK, ...change }],
});

const CHANGES: readonly (readonly [PlanPart, string, Partial<PlanFacts>])[] = [
  ['account', 'the account', { account: 'another' }],
  ['batch', 'the id', { batchId: 'payroll-2' }],
  ['batch', 'the generation', { generation: 1 }],
  ['file', 'the bytes of the file', { fileSha256: 'g' }],
  ['rows', 'the content of the rows', { contentSha256: 'd' }],
  ['rows', 'the number of rows', { rows: 3 }],
  ['rows', 'the number of refused rows', { refusedRows: 1 }],
  ['choices', 'the default currency', choosing({ currency: 'BTC' })],
  ['choices', 'the time', choosing({ at: '2026-12-01T09:00:00Z' })],
  ['choices', 'the execution date', choosing({ executionDate: '2026-12-01T09:00:00Z' })],
  ['choices', 'how long to wait for funds', choosing({ fundsWaitMs: 1 })],
  ['choices', 'whose money goes first', choosing({ beforeScheduled: true })],
  ['choices', 'whether refused rows are left out', choosing({ skipInvalid: true })],
  ['choices', 'the expected rows', choosing({ expectCount: 2 })],
  ['choices', 'the expected totals', choosing({ expectTotals: ['3'] })],
  ['choices', 'the row tags', choosing({ rowTag: 'off' })],
  ['choices', 'the canary', choosing({ canaryRows: 1 })],
  ['choices', 'the stop loss', choosing({ stopLoss: ['5%'] })],
  ['accepted', 'what is accepted', { accepted: ['DUPLICATE_ROW'] }],
  ['findings', 'the code of a finding', finding({ code: 'SAME_FILE_AGAIN' })],
  ['findings', 'how often a finding was made', finding({ count: 3 })],
  ['findings', 'which rows a finding names', finding({ examples: [{ row: 4, detail: '' }] })],
  ['findings', 'a finding that is gone', { findings: [FINDING] }],
  ['approval', 'that an approval is needed', ruling({ approval: POLICY })],
  [
    'findingRules',
    'what must be accepted',
    ruling({ findings: { confirm: ['ADDRESS_BURN'], block: [] } }),
  ],
  ['findingRules', 'what stops', ruling({ findings: { confirm: [], block: ['ADDRESS_BURN'] } })],
  ['findingRules', 'how far back is looked', ruling({ historyDays: 26 })],
  ['findingRules', 'which addresses must be known', ruling({ payees: KNOWN })],
  [
    'limits',
    'a limit',
    ruling({ limits: { ...RULES.limits, row: [{ currency: 'TRX', amount: '5' }] } }),
  ],
  ['feeRules', 'a rule for fees', ruling({ fees: { ...RULES.fees, driftMaxPercent: null } })],
  ['chunks', 'the number of a chunk', chunked({ chunk: 1 })],
  ['chunks', 'the currency of a chunk', chunked({ currency: 'BTC' })],
  ['chunks', 'the rows of a chunk', chunked({ rowCount: 3 })],
  ['chunks', 'the total of a chunk', chunked({ total: '4' })],
  ['chunks', 'the content of a chunk', chunked({ rowsSha256: 's' })],
  ['chunks', 'the key of a chunk', chunked({ idempotencyKey: 'l' })],
  ['chunks', 'another chunk', { chunks: [CHUNK, { ...CHUNK, chunk: 1 }] }],
];

describe('the digest of a plan', () => {
  it('is the same for the same plan, made in any order', () => {
    const other = {
      ...PLAN,
      accepted: [...PLAN.accepted].reverse(),
      findings: [...PLAN.findings].reverse(),
      choices: Object.fromEntries(Object.entries(PLAN.choices).reverse()) as PlanFacts['choices'],
      rules: Object.fromEntries(Object.entries(RULES).reverse()) as PlanFacts['rules'],
    };
    expect(digestOf(other)).toBe(digestOf(PLAN));
    expect(digestOf(PLAN)).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('follows from the parts alone', () => {
    expect(digestOfParts(partsOf(PLAN))).toBe(digestOf(PLAN));
    expect(Object.keys(partsOf(PLAN))).toEqual(PLAN_PARTS);
  });

  it.each(CHANGES)('and its part %s alone change with %s', (part, _what, change) => {
    const changed = { ...PLAN, ...change };
    expect(changedParts(partsOf(PLAN), partsOf(changed))).toEqual([part]);
    expect(digestOf(changed)).not.toBe(digestOf(PLAN));
  });

  it('covers every part that there is', () => {
    expect(new Set(CHANGES.map(([part]) => part))).toEqual(new Set(PLAN_PARTS));
  });

  it('covers every fact that there is', () => {
    const covered = CHANGES.flatMap(([, , change]) => Object.keys(change));
    expect(new Set(covered)).toEqual(new Set(Object.keys(PLAN)));
  });

  it('covers every choice that there is', () => {
    const covered = CHANGES.flatMap(([, , { choices }]) =>
      Object.entries(choices ?? {})
        .filter(([name, value]) => value !== PLAN.choices[name as keyof typeof PLAN.choices])
        .map(([name]) => name),
    );
    expect(new Set(covered)).toEqual(new Set(Object.keys(PLAN.choices)));
  });

  it('does not depend on the text of a finding', () => {
    const worded = { ...PLAN, ...finding({ examples: [{ row: 3, detail: 'ended meanwhile' }] }) };
    expect(digestOf(worded)).toBe(digestOf(PLAN));
  });
});

describe('a plan that was confirmed', () => {
  const expected = { digest: digestOf(PLAN), parts: partsOf(PLAN) };
  const refusal = (change: Partial<PlanFacts>) => {
    try {
      confirmedFindings(expected, { ...PLAN, ...change });
    } catch (error) {
      return error as { code: string; facts: { changes: string } };
    }
    throw new Error('it was not refused');
  };

  it.each([null, undefined])('may be missing (%s)', (nothing) => {
    expect(() => confirmedFindings(nothing, PLAN)).not.toThrow();
  });

  it('is carried out when it is the same', () => {
    expect(() => confirmedFindings(expected, PLAN)).not.toThrow();
  });

  it.each<[string, Partial<PlanFacts>]>([
    ['the account', { account: 'another' }],
    ['the approval policy', ruling({ approval: POLICY })],
    [
      'the rows (now 3, of which 1 refused), the chunks (now 2)',
      { rows: 3, refusedRows: 1, chunks: [CHUNK, CHUNK] },
    ],
    ['the findings (now DUPLICATE_ROW 2)', { findings: [FINDING] }],
    ['the findings (now none)', { findings: [] }],
  ])('is refused otherwise, naming %s', (changes, change) => {
    expect(refusal(change)).toMatchObject({ code: 'PLAN_CHANGED', facts: { changes } });
  });

  it('is refused by its digest, with any parts', () => {
    const lying = { ...expected, parts: partsOf({ ...PLAN, account: 'another' }) };
    expect(() => confirmedFindings(lying, { ...PLAN, account: 'another' })).toThrow(
      expect.objectContaining({ facts: expect.objectContaining({ changes: 'its digest' }) }),
    );
  });

  it('has the findings of the plan of now', () => {
    expect(confirmedFindings(null, PLAN)).toBe(PLAN.findings);
    expect(confirmedFindings(expected, PLAN)).toBe(PLAN.findings);
  });
});

describe('a confirmed plan with a note', () => {
  const note = (count: number, rows: readonly number[], detail = ''): Finding => ({
    code: 'FIRST_TIME_PAYEE',
    count,
    examples: rows.map((row) => ({ row, detail })),
  });
  const [duplicate, burn] = [FINDING, PLAN.findings[1] as Finding];
  const withNote = (seen: Finding): PlanFacts => ({ ...PLAN, findings: [duplicate, seen, burn] });
  const confirmed = (seen: Finding) => {
    const plan = withNote(seen);
    const notes = notesOf(plan.findings, plan.rules.findings);
    return { digest: digestOf(plan), parts: partsOf(plan), notes };
  };
  const TWENTY = Array.from({ length: 20 }, (_, i) => i + 2);
  const REFUSED = expect.objectContaining({ code: 'PLAN_CHANGED' });

  it.each<[string, Finding, readonly Finding[]]>([
    ['has vanished', note(1, [2]), [duplicate, burn]],
    ['has fewer rows', note(2, [2, 3]), [duplicate, note(1, [3], 'text'), burn]],
    [
      'names a row that it did not name before',
      note(25, TWENTY),
      [duplicate, note(24, [99]), burn],
    ],
  ])('is carried out, as it was seen, when the note %s', (_, seen, findings) => {
    const expected = confirmed(seen);
    const found = confirmedFindings(expected, { ...PLAN, findings });
    expect(digestOf({ ...PLAN, findings: found })).toBe(expected.digest);
    expect(found.map(({ code }) => code)).toEqual([
      'DUPLICATE_ROW',
      'FIRST_TIME_PAYEE',
      'ADDRESS_BURN',
    ]);
  });

  it('keeps the texts of the rows that the note still has', () => {
    const findings = [duplicate, note(1, [3], 'text'), burn];
    const found = confirmedFindings(confirmed(note(2, [2, 3])), { ...PLAN, findings });
    expect(found[1]).toEqual({
      ...note(2, [2, 3]),
      examples: [
        { row: 2, detail: '' },
        { row: 3, detail: 'text' },
      ],
    });
  });

  it.each<[string, readonly Finding[]]>([
    ['the note has more rows', [duplicate, note(3, [2, 3, 4]), burn]],
    ['the note has another row', [duplicate, note(2, [2, 4]), burn]],
    ['there is another note', [duplicate, { ...note(1, [2]), code: 'TAG_MAY_BE_NEEDED' }, burn]],
    ['a finding that was accepted has vanished', [burn]],
    ['a finding that was accepted has fewer rows', [{ ...duplicate, count: 1 }, burn]],
    ['there is one more finding', [duplicate, note(1, [2]), { ...burn, count: 2 }]],
  ])('is refused when %s', (_, findings) => {
    const expected = confirmed(note(2, [2, 3]));
    expect(() => confirmedFindings(expected, { ...PLAN, findings })).toThrow(REFUSED);
  });

  it('is refused when anything else has changed beside a note that vanished', () => {
    const plan = { ...PLAN, findings: [duplicate, burn], account: 'another' };
    expect(() => confirmedFindings(confirmed(note(1, [2])), plan)).toThrow(REFUSED);
  });

  it('is refused when the note had to be accepted', () => {
    const findings = { confirm: ['FIRST_TIME_PAYEE'], block: [] } as const;
    const rules = { ...RULES, findings };
    const seen = { ...withNote(note(1, [2])), rules };
    const notes = [{ code: 'FIRST_TIME_PAYEE', count: 1, rows: [2] }] as const;
    const expected = { digest: digestOf(seen), parts: partsOf(seen), notes };
    expect(notesOf(seen.findings, rules.findings)).toEqual([]);
    const now = { ...PLAN, rules, findings: [duplicate, burn] };
    expect(() => confirmedFindings(expected, now)).toThrow(REFUSED);
  });

  it('is refused when notes are stated that it did not have, and when none are stated', () => {
    const { notes: _, ...expected } = confirmed(note(1, [2]));
    const now = { ...PLAN, findings: [duplicate, burn] };
    expect(() => confirmedFindings(expected, now)).toThrow(REFUSED);
    const lying = { ...confirmed(note(2, [2, 3])), notes: confirmed(note(1, [2])).notes };
    expect(() => confirmedFindings(lying, now)).toThrow(REFUSED);
  });
});

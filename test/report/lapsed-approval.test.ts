import { expect, it } from '@jest/globals';
import type { BatchReport } from '../../src/domain/report/report.ts';
import { approvalsSection } from '../../src/report/summary/approvals.ts';
import { approvalBy, DAY_MS, isoOf, NOW_MS } from '../support/approvers.ts';

const given = (name: string, days: number) => ({
  ...approvalBy(name, {
    subject: 'sha256:d',
    issuedAt: isoOf(NOW_MS + days * DAY_MS),
    expiresAt: isoOf(NOW_MS + (days + 1) * DAY_MS),
  }),
  ...({ publicKey: null, proof: 'unsigned', takenAt: isoOf(NOW_MS) } as const),
});

it('an approval that had lapsed and was given again is marked', () => {
  const asked = {
    policy: [],
    mode: 'unsigned',
    given: [given('bob', 0), given('carol', 2), given('bob', 2)],
  };
  const report = { approvals: asked, digest: 'sha256:d' } as unknown as BatchReport;
  const text = approvalsSection(report).markup.replace(/<[^>]*>/g, ' ');
  const decided = [...text.matchAll(/(bob|carol)\s+(approved(?:, and expired)?)/g)];
  expect(decided.map(([, person, decision]) => [person, decision])).toEqual([
    ['bob', 'approved, and expired'],
    ['carol', 'approved'],
    ['bob', 'approved'],
  ]);
});

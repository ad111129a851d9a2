import type { ApprovalPolicy } from '../../../../src/domain/approval/policy.ts';
import type { HouseRules } from '../../../../src/domain/plan/rules.ts';

export const RULES: HouseRules = {
  approval: null,
  findings: { confirm: [], block: [] },
  historyDays: 25,
  limits: { row: [], batch: [], day: [], payee: [] },
  fees: { driftMaxPercent: '20', shareMaxPercent: null, totalMax: [] },
};

export const POLICY: ApprovalPolicy = {
  mode: 'signed',
  expiresAfterMs: 259_200_000,
  tiers: [
    {
      currency: 'USDT_TRC20',
      above: '1000',
      approvals: 2,
      roles: ['finance', 'board'],
      mustInclude: ['board'],
    },
  ],
  people: [{ name: 'bob', publicKey: 'ed25519:b', roles: ['board'], users: ['bob.b', 'root'] }],
};

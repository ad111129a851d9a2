import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { FindingView } from '../../src/operations/file/finding-view.ts';
import { payEarlier } from '../support/history-fixtures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type FakeWorld, fakeWorld } from './support/fake-world.ts';
import { address } from './support/files.ts';
import { inStore } from './support/in-store.ts';

const [OLD, NEW, BOB] = [address(1), address(2), address(3)];
const FILE = [
  'address,amount,currency,reference,name',
  `${BOB},20,USDT_TRC20,INV-7,Robert`,
  `${NEW},3120.5,USDT_TRC20,EMP-004,Ann Lee`,
  '',
].join('\n');

let made: FakeWorld;
beforeEach(async () => {
  made = fakeWorld({ cwd: temporaryFolder() });
  writeFileSync(join(made.world.cwd, 'june.csv'), FILE);
  writeFileSync(join(made.world.cwd, 'payees.csv'), `address,network,name\n${BOB},TRC20,Bob\n`);
  await inStore(made, (store) =>
    payEarlier(store, 'may', [
      { address: OLD, currency: 'USDT_TRC20', reference: 'EMP-004', name: 'Ann Lee', row: 9 },
    ]),
  );
});

const findings = (value: Readonly<Record<string, unknown>>) =>
  value['findings'] as readonly FindingView[];

describe('the plan of a file with a changed address', () => {
  it('shows it before other findings, the old address above the new one', async () => {
    const { code, out } = await made.run('plan', 'june.csv');
    expect(code).toBe(13);
    expect(out).toContain(
      [
        '    row 3  Ann Lee, EMP-004, 3,120.50 USDT (TRC20)',
        `      before  ${OLD}  last paid on 2027-01-15 in batch may`,
        `      now     ${NEW}`,
        '',
      ].join('\n'),
    );
    expect(out.indexOf('ADDRESS_CHANGED (must be accepted), 1 row')).toBeGreaterThan(0);
    expect(out.indexOf('ADDRESS_CHANGED')).toBeLessThan(out.indexOf('FIRST_TIME_PAYEE'));
  });

  it('has both addresses in its JSON, and the payment in its text', async () => {
    const { value } = await made.json('plan', 'june.csv');
    expect(findings(value)[0]).toMatchObject({
      code: 'ADDRESS_CHANGED',
      severity: 'confirm',
      count: 1,
      examples: [
        {
          row: 3,
          detail: `3,120.50 USDT (TRC20) to Ann Lee, ${NEW} for EMP-004; EMP-004 was paid last in batch may of 2027-01-15, at ${OLD}`,
          change: {
            payee: 'Ann Lee, EMP-004',
            payment: '3,120.50 USDT (TRC20)',
            address: NEW,
            before: OLD,
            batchId: 'may',
            paidAt: '2027-01-15T08:00:00.000Z',
          },
        },
      ],
    });
  });

  it('is made once the change is accepted, or blocked where the settings say so', async () => {
    expect((await made.run('plan', 'june.csv', '--accept', 'ADDRESS_CHANGED')).code).toBe(0);
    const env = { BURSAR_FINDINGS_BLOCK: 'ADDRESS_CHANGED' };
    const strict = fakeWorld({ cwd: made.world.cwd, env });
    const { code, out } = await strict.run('plan', 'june.csv', '--accept', 'ADDRESS_CHANGED');
    expect([code, out]).toEqual([13, expect.stringContaining('ADDRESS_CHANGED (stops the batch)')]);
  });

  it('names the payee of the register where the file has another name', async () => {
    expect((await made.run('payees', 'import', 'payees.csv')).code).toBe(0);
    const { value } = await made.json('plan', 'june.csv');
    expect(findings(value)[1]).toMatchObject({
      code: 'NAME_DIFFERS',
      examples: [
        {
          row: 2,
          detail: `20.00 USDT (TRC20) to Robert, ${BOB} for INV-7; the register of payees has "Bob"`,
        },
      ],
    });
  });

  it('shows the address of the register where no other batch has paid it', async () => {
    writeFileSync(
      join(made.world.cwd, 'payees.csv'),
      `address,network,name\n${OLD},TRC20,"ROBERT "\n`,
    );
    expect((await made.run('payees', 'import', 'payees.csv')).code).toBe(0);
    const { value, out } = {
      ...(await made.json('plan', 'june.csv')),
      ...(await made.run('plan', 'june.csv')),
    };
    expect(findings(value)[0]?.examples[0]).toMatchObject({
      row: 2,
      change: { payee: 'Robert, INV-7', address: BOB, before: OLD, batchId: null, paidAt: null },
    });
    expect(out).toContain(
      `      before  ${OLD}  in the register of payees\n      now     ${BOB}\n`,
    );
  });
});

import { expect, it } from '@jest/globals';
import { signedAct } from '../../../src/domain/approval/signed-act.ts';
import { approvalBy } from '../../support/approvers.ts';

const by = (name: string, reason: string) => approvalBy(name, { reason });

it.each([
  ['the words of the one who signed', [by('bob', 'checked')], 'bob', 'checked'],
  ['no words where none were signed', [by('bob', ''), by('carol', '')], 'bob, carol', ''],
  [
    'the reason of each of several, so that no person writes for another one',
    [by('bob', 'checked"; carol: "fine'), by('carol', '')],
    ...['bob, carol', 'bob: "checked\\"; carol: \\"fine"'],
  ],
])('an act that people signed has %s', (_what, statements, actor, reason) => {
  expect(signedAct(statements)).toEqual({ actor, reason });
});

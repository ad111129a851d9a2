import { describe, expect, it } from '@jest/globals';
import { readSettings, type Settings } from '../../src/config.ts';
import { publicKeyOf } from '../support/approvers.ts';
import { passkeyOf } from '../support/passkeys.ts';

const read = (text: string, env: Record<string, string> = {}): Settings =>
  readSettings({ env, cwd: '/home/ann', toml: { text, path: '/home/ann/bursar.toml' } });

/** The sentences of all problems. */
function problemsOf(text: string, env: Record<string, string> = {}): string[] {
  try {
    read(text, env);
  } catch (error) {
    return (error as { facts: { problems: string } }).facts.problems.split('; ');
  }
  throw new Error('the settings were accepted');
}

const person = (name: string, more = 'roles = ["finance"]', key = publicKeyOf(name)): string =>
  `[[approval.people]]\nname = "${name}"\npublic_key = "${key}"\n${more}`;
const tier = (more: string): string => `[[approval.tiers]]\n${more}`;
const TWO = [person('alice'), person('bob')];
const toml = (...parts: string[]): string => parts.join('\n');

describe('an approval policy', () => {
  it('that is consistent is read, with amounts in one form', () => {
    const { rules, warnings } = read(
      toml(
        tier('above = "1000.50"\napprovals = 2\nroles = ["finance"]'),
        tier('approvals = 1\ncurrency = "BTC"\nabove = "1000.5"'),
        person('alice', 'roles = ["finance", "cfo"]\nusers = ["alice-at-work", "Alice"]'),
        person('bob'),
      ),
    );
    expect(warnings).toEqual([]);
    expect(rules.approval).toEqual({
      mode: 'signed',
      expiresAfterMs: 3 * 86_400_000,
      tiers: [
        { currency: null, above: '1000.5', approvals: 2, roles: ['finance'], mustInclude: [] },
        { currency: 'BTC', above: '1000.5', approvals: 1, roles: [], mustInclude: [] },
      ],
      people: [
        {
          name: 'alice',
          publicKey: publicKeyOf('alice'),
          roles: ['finance', 'cfo'],
          users: ['alice-at-work', 'Alice'],
        },
        { name: 'bob', publicKey: publicKeyOf('bob'), roles: ['finance'], users: [] },
      ],
    });
  });

  it('takes a passkey in the place of a key', () => {
    const people = [person('alice', '', passkeyOf('alice')), person('bob')];
    const { rules } = read(toml(tier('approvals = 2'), ...people));
    expect(rules.approval?.people.map(({ publicKey }) => publicKey)).toEqual([
      passkeyOf('alice'),
      publicKeyOf('bob'),
    ]);
  });

  it('without tiers is none, and its people may sign in all the same', () => {
    const { rules, people } = read(toml(person('alice'), person('bob', 'web_role = "submit"')));
    expect(rules.approval).toBeNull();
    expect(people.map(({ name, webRole }) => [name, webRole])).toEqual([
      ['alice', 'read'],
      ['bob', 'submit'],
    ]);
  });

  it('has nothing of what people may do in the web app: a plan does not depend on it', () => {
    const people = (webRole: string) => [person('alice', webRole), person('bob')];
    const [one, other] = ['web_role = "read"', 'web_role = "operate"'].map(
      (webRole) => read(toml(tier('approvals = 2'), ...people(webRole))).rules,
    );
    expect(other).toEqual(one);
  });

  it('warns of a passkey that belongs to another web app', () => {
    const elsewhere = person('bob', '', passkeyOf('bob', { rpId: 'old.example.com' }));
    const people = toml(person('alice', '', passkeyOf('alice')), elsewhere, person('carol'));
    expect(read(people).warnings).toEqual([]);
    expect(read(people, { BURSAR_SERVE_ORIGIN: 'https://pay.example.com' }).warnings).toEqual([
      'the passkey of bob belongs to old.example.com, and serve.origin names another host: bob cannot sign in',
    ]);
  });

  it.each([
    'http://pay.example.com',
    'https://pay.example.com/app',
    'https://10.0.0.1',
    'http://127.0.0.1:8790',
    'https://[::1]',
    'ftp://pay.example.com',
    'pay.example.com',
  ])('of a web app at %s is refused: no passkey belongs to it', (origin) => {
    expect(problemsOf('', { BURSAR_SERVE_ORIGIN: origin })).toEqual([
      expect.stringContaining('serve.origin'),
    ]);
  });

  it('that is unsigned gets a warning that it proves nothing, unless nothing needs approval', () => {
    const unsigned = '[approval]\nmode = "unsigned"';
    const people = '[[approval.people]]\nname = "alice"';
    expect(read(toml(unsigned, tier('approvals = 1'), people)).warnings).toEqual([
      expect.stringContaining('approval.mode is unsigned. Approvals are UNSIGNED'),
    ]);
    expect(read(toml(unsigned, people)).warnings).toEqual([]);
  });

  it.each<{ what: string; text: string; problem: string }>`
    what                                        | text                                                                                                         | problem
    ${'two people with one name'}               | ${toml(...TWO, person('Bob', '', publicKeyOf('x')))}                                                         | ${'approval.people.2.name (bursar.toml) must be, with its users, the name of nobody else'}
    ${'a user who is somebody else'}            | ${toml(...TWO, person('carol', 'users = ["ALICE"]'))}                                                        | ${'approval.people.2.name (bursar.toml) must be, with its users, the name of nobody else'}
    ${'two people with one user'}               | ${toml(person('a', 'users = ["root"]'), person('b', 'users = ["root"]'))}                                    | ${'approval.people.1.name'}
    ${'two people with one key'}                | ${toml(person('bob'), person('rob', '', publicKeyOf('bob')))}                                                | ${'approval.people.1.public_key (bursar.toml) must be the key of nobody else'}
    ${'somebody without a key'}                 | ${toml('[[approval.people]]\nname = "bob"')}                                                                 | ${'approval.people.0.public_key (bursar.toml) is missing'}
    ${'a key that is none'}                     | ${toml(person('bob', '', 'ed25519:AAAA'))}                                                                   | ${'approval.people.0.public_key (bursar.toml) must be a key as "bursar keys new" prints it, or a passkey'}
    ${'a key that belongs to nobody'}           | ${toml(person('bob', '', `ed25519:${Buffer.alloc(32).toString('base64')}`))}                                 | ${'approval.people.0.public_key (bursar.toml) must be a key as "bursar keys new" or the web app makes it'}
    ${'a passkey that belongs to nobody'}       | ${toml(person('bob', '', `passkey:pay.example.com:ES256:${'A'.repeat(44)}`))}                                | ${'approval.people.0.public_key (bursar.toml) must be a key as "bursar keys new" or the web app makes it'}
    ${'a passkey of an address of numbers'}     | ${toml(person('bob', '', passkeyOf('bob', { rpId: '10.0.0.1' })))}                                           | ${'approval.people.0.public_key (bursar.toml) must be a key'}
    ${'one passkey under two host names'}       | ${toml(person('bob', '', passkeyOf('bob')), person('rob', '', passkeyOf('bob', { rpId: 'other.example' })))} | ${'approval.people.1.public_key (bursar.toml) must be the key of nobody else'}
    ${'a role that nobody has'}                 | ${toml(tier('approvals = 1\nroles = ["finance", "fiance"]'), ...TWO)}                                        | ${'approval.tiers.0.roles (bursar.toml) must name roles that people in approval.people have'}
    ${'a demanded role that nobody has'}        | ${toml(tier('approvals = 1\nmust_include = ["cfo"]'), ...TWO)}                                               | ${'approval.tiers.0.must_include (bursar.toml) must name roles'}
    ${'more approvals than people'}             | ${toml(tier('approvals = 3'), ...TWO)}                                                                       | ${'approval.tiers.0.approvals (bursar.toml) must not be above 2'}
    ${'more approvals than people with a role'} | ${toml(tier('approvals = 2\nroles = ["cfo"]'), ...TWO, person('c', 'roles = ["cfo"]'))}                      | ${'approval.tiers.0.approvals (bursar.toml) must not be above 1'}
    ${'two tiers for the same'}                 | ${toml(tier('approvals = 1'), tier('approvals = 2\nabove = "0"'), ...TWO)}                                   | ${'approval.tiers.1.above (bursar.toml) must differ'}
    ${'two amounts that are the same'}          | ${toml(tier('approvals = 1\nabove = "1.0"'), tier('approvals = 2\nabove = "1"'), ...TWO)}                    | ${'approval.tiers.1.above (bursar.toml) must differ'}
    ${'no approval at all'}                     | ${toml(tier('approvals = 0'), ...TWO)}                                                                       | ${'approval.tiers.0.approvals (bursar.toml) must be a whole number from 1 to 20'}
    ${'an amount that is none'}                 | ${toml(tier('approvals = 1\nabove = "1,000"'), ...TWO)}                                                      | ${'approval.tiers.0.above (bursar.toml) must be an amount'}
    ${'a misspelt setting of a tier'}           | ${toml(tier('approvals = 1\nrole = ["finance"]'), ...TWO)}                                                   | ${'approval.tiers.0.role (bursar.toml) is not a setting'}
    ${'a tier without a number'}                | ${toml(tier('above = "1"'), ...TWO)}                                                                         | ${'approval.tiers.0.approvals'}
  `('with $what is refused', ({ text, problem }) => {
    expect(problemsOf(text)).toContainEqual(expect.stringContaining(problem));
  });

  it('from the environment is checked in the same way, and its problems name the variable', () => {
    const env = {
      BURSAR_APPROVAL_TIERS: '[{"approvals":2}]',
      BURSAR_APPROVAL_PEOPLE: JSON.stringify([{ name: 'bob', public_key: publicKeyOf('bob') }]),
    };
    expect(problemsOf('', env)).toEqual([
      'approval.tiers.0.approvals (BURSAR_APPROVAL_TIERS) must not be above 1, the number of people whose approval counts here',
    ]);
    const tiers = '[{"approvals":1}]';
    expect(read('', { ...env, BURSAR_APPROVAL_TIERS: tiers }).rules.approval).toMatchObject({
      people: [{ name: 'bob' }],
    });
    expect(problemsOf('', { ...env, BURSAR_APPROVAL_TIERS: '[{' })).toEqual([
      'approval.tiers (BURSAR_APPROVAL_TIERS) must be a list of tables (in a variable: as JSON)',
    ]);
  });
});

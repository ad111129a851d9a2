import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readKnownSecrets, readSettings, type Settings } from '../../src/config.ts';
import { publicKeyOf } from '../support/approvers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const read = (text: string, cwd = '/home/ann'): Settings =>
  readSettings({ env: {}, cwd, toml: { text, path: `${cwd}/bursar.toml` } });

function problemsOf(text: string): string {
  try {
    read(text);
  } catch (error) {
    return (error as { facts: { problems: string } }).facts.problems.replaceAll(
      ' (bursar.toml)',
      '',
    );
  }
  throw new Error('the settings were accepted');
}

const oidc = (more = '', issuer = 'https://login.example.com'): string =>
  `[serve.oidc]\nissuer = "${issuer}"\nclient_id = "bursar"\nclient_secret_file = "oidc-secret"\n${more}\n`;
const person = (name: string, account: string): string =>
  `[[approval.people]]\nname = "${name}"\npublic_key = "${publicKeyOf(name)}"\noidc = "${account}"\n`;

describe('a provider of OpenID Connect', () => {
  it('is read with the claim that names people', () => {
    const { serve } = read(oidc('claim = "email"\nscope = "openid email"\nname = "Example ID"'));
    expect(serve.oidc).toEqual({
      issuer: 'https://login.example.com/',
      clientId: 'bursar',
      clientSecretFile: '/home/ann/oidc-secret',
      claim: 'email',
      scope: 'openid email',
      name: 'Example ID',
    });
  });

  it.each(['issuer', 'client_id', 'client_secret_file'])('is whole: it needs %s', (key) => {
    const without = oidc()
      .split('\n')
      .filter((line) => !line.startsWith(`${key} =`))
      .join('\n');
    expect(problemsOf(without)).toContain(`serve.oidc.${key} is missing`);
  });

  it.each([
    'http://login.example.com',
    'https://user:secret@login.example.com',
    'https://login.example.com/?tenant=1',
    'https://login.example.com/#a',
    'https://login.example.com/.well-known/openid-configuration',
    'login.example.com',
    'file:///etc/passwd',
  ])('has no issuer %s', (issuer) => {
    expect(problemsOf(oidc('', issuer))).toContain('serve.oidc.issuer must be');
  });

  it('may be on this machine without TLS', () => {
    const { serve } = read(oidc('', 'http://127.0.0.1:9000/realms/work'));
    expect(serve.oidc.issuer).toBe('http://127.0.0.1:9000/realms/work');
  });

  it.each(['email', 'openid\\nemail', 'openid "email"'])('has no scope %s', (scope) => {
    expect(problemsOf(oidc(`scope = '${scope}'`))).toContain('serve.oidc.scope must be');
  });

  it('has a secret that no output shows', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'oidc-secret'), 'client-secret-of-a-test\n', { mode: 0o600 });
    expect(readKnownSecrets(read(oidc(), folder), {})).toContain('client-secret-of-a-test');
  });
});

describe('the account of a person', () => {
  it('is for signing in alone: the policy of plans does not have it', () => {
    const { people, rules } = read(
      `${person('alice', 'alice@example.com')}[[approval.tiers]]\napprovals = 1\n`,
    );
    expect(people.map((one) => one.oidc)).toEqual(['alice@example.com']);
    expect(JSON.stringify(rules)).not.toContain('alice@example.com');
  });

  it('is one person', () => {
    const problems = problemsOf(person('alice', 'same') + person('bob', 'same'));
    expect(problems).toContain('approval.people.1.oidc must be the account of nobody else');
  });

  it.each(['', ' ', 'a b', 'x'.repeat(201)])('is not %j', (account) => {
    expect(problemsOf(person('alice', account))).toContain('oidc must be');
  });
});

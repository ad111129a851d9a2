import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { REPOSITORY } from './support/folders.ts';

type Service = Readonly<{
  image: string;
  build?: { dockerfile: string };
  command: string[];
  ports?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  depends_on?: Record<string, { condition: string }>;
  environment?: Record<string, string>;
  healthcheck?: object;
}>;

const yml = readFileSync(join(REPOSITORY, 'temporal-dev.yml'), 'utf8');
const services: Record<string, Service> = parse(yml, { merge: true }).services;
const all = Object.entries(services);
const ours = all.filter(([, { build }]) => build !== undefined);
const lasting = ['temporal', 'bridge', 'sandbox', 'worker'];

describe('temporal-dev.yml', () => {
  it('has the services of the local stack, each with a health check', () => {
    expect(Object.keys(services)).toEqual(expect.arrayContaining(lasting));
    for (const name of lasting) expect(services[name]?.healthcheck).toBeDefined();
  });

  it('opens ports to this machine only', () => {
    const ports = all.flatMap(([, service]) => service.ports ?? []);
    expect(ports).toHaveLength(4);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  it.each(ours)('takes every right from %s that it does not need', (_, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });

  it('holds no secret, only names of files with one', () => {
    const variables = all.flatMap(([, service]) => Object.keys(service.environment ?? {}));
    expect(variables).toContain('BURSAR_API_SECRET_FILE');
    expect(variables.filter((name) => /SECRET|TOKEN|KEYS|PASSWORD/.test(name))).toEqual(
      variables.filter((name) => name === 'BURSAR_API_SECRET_FILE'),
    );
  });

  it('waits only for services that exist', () => {
    const waitedFor = all.flatMap(([, service]) => Object.keys(service.depends_on ?? {}));
    expect(Object.keys(services)).toEqual(expect.arrayContaining(waitedFor));
  });

  it('builds from a Dockerfile that exists, pins its images, and uses no latest', () => {
    for (const [, { build }] of ours) {
      expect(existsSync(join(REPOSITORY, build?.dockerfile ?? ''))).toBe(true);
    }
    for (const [, { image }] of all) expect(image).toMatch(/:(?!latest)[\w.]+$/);
  });
});

describe('the image', () => {
  const dockerfile = readFileSync(join(REPOSITORY, 'deploy/Dockerfile'), 'utf8');

  it('runs as a user without rights, and carries no secret', () => {
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile).not.toMatch(/^(ARG|ENV) .*(SECRET|TOKEN|KEY|PASSWORD)/m);
  });

  it('runs no install script of a package', () => {
    const installs = dockerfile.match(/npm ci.*/g);
    expect(installs).toHaveLength(2);
    for (const install of installs ?? []) expect(install).toContain('--ignore-scripts');
  });
});

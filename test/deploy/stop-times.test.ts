import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { WORKER_LIMITS } from '../../src/worker-limits.ts';
import { REPOSITORY } from '../local-stack/support/folders.ts';

const read = (file: string): string => readFileSync(join(REPOSITORY, file), 'utf8');
const seconds = (text: string): number => Number(text.replace(/s$/, ''));

const graceSeconds = seconds(WORKER_LIMITS.shutdownGraceTime);

describe('a worker that is stopped has the time that its calls may take to end', () => {
  it.each(['temporal-dev.yml', 'deploy/compose.yml'])('in %s', (file) => {
    const { services } = parse(read(file), { merge: true });
    expect(seconds(services.worker.stop_grace_period)).toBeGreaterThan(graceSeconds);
  });

  it('in the unit of systemd', () => {
    const [, time = ''] =
      /^TimeoutStopSec=(\d+)$/m.exec(read('deploy/systemd/bursar-worker.service')) ?? [];
    expect(seconds(time)).toBeGreaterThan(graceSeconds);
  });

  it('in the chart, which refuses less', () => {
    const { worker } = parse(read('deploy/chart/values.yaml'));
    expect(worker.terminationGracePeriodSeconds).toBeGreaterThan(graceSeconds);
    const refusal = `(int .Values.worker.terminationGracePeriodSeconds) ${graceSeconds} `;
    expect(read('deploy/chart/templates/worker.yaml')).toContain(`le ${refusal}`);
  });
});

describe('a real service', () => {
  const { services, secrets } = parse(read('deploy/compose.yml'), { merge: true });

  it('has two workers and two bridges, and migrates the store before they start', () => {
    for (const name of ['worker', 'bridge']) {
      expect(services[name].deploy.replicas).toBe(2);
      expect(services[name].depends_on.migrate).toEqual({
        condition: 'service_completed_successfully',
      });
    }
  });

  it('has no sandbox, and each secret in a file', () => {
    expect(services.sandbox).toBeUndefined();
    const text = read('deploy/compose.yml');
    const variables = [
      ...text.matchAll(/^ *(\w*(?:SECRET|PASSWORD|TOKEN|CREDENTIALS)\w*): (.+)$/gm),
    ];
    expect(variables.length).toBeGreaterThan(4);
    for (const [, , value] of variables) expect(value).toMatch(/^\/run\/secrets\/[\w-]+$/);
    const used = variables.map(([, , value = '']) => value.replace('/run/secrets/', ''));
    expect(Object.keys(secrets)).toEqual(expect.arrayContaining(used));
  });

  it('has the version of the package in the tag of its image, and the chart too', () => {
    const { version } = JSON.parse(read('package.json'));
    expect(services.worker.image).toBe(`bursar:${version}`);
    expect(parse(read('deploy/chart/Chart.yaml'))).toMatchObject({ version, appVersion: version });
  });
});

import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { authenticationChecks } from '../../conformance/checks/authentication.ts';
import type { Given } from '../../conformance/given.ts';
import { SANDBOX_PAYMENT, startSandbox } from '../../conformance/own-sandbox.ts';
import { startReceiver } from '../../conformance/receiver.ts';
import { type Answer, createService, type Service } from '../../conformance/service.ts';
import { CHECKS, runChecks, type Tried } from '../../conformance/suite.ts';
import { lineOf, markdownOf } from '../../conformance/table.ts';

const SANDBOX = fileURLToPath(new URL('../../build/src/sandbox/main.js', import.meta.url));
const PATIENCE_MS = 30_000;

let sandbox: Awaited<ReturnType<typeof startSandbox>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let service: Service;
let given: Given;

beforeAll(async () => {
  sandbox = await startSandbox(SANDBOX, process.env);
  receiver = await startReceiver({ port: 0, publicUrl: null });
  const { target } = sandbox;
  service = createService({ ...target, timeoutMs: PATIENCE_MS });
  given = {
    account: target.account,
    payment: SANDBOX_PAYMENT,
    receiver,
    patienceMs: PATIENCE_MS,
  };
});
afterAll(async () => {
  receiver.close();
  await sandbox.stop();
});

const run = (under: Service, only: readonly string[] = []): Promise<Tried[]> =>
  runChecks({ service: under, given, mayLeaveObjects: true, only });

const verdictsOf = (tried: readonly Tried[]): Record<string, string> =>
  Object.fromEntries(tried.map(({ check, verdict }) => [check.id, verdict.kind]));

/** The sandbox, with answers that are changed on their way. */
const spoilt = (change: (answer: Answer) => Answer): Service => ({
  ...service,
  send: async (operation, request) => change(await service.send(operation, request)),
});

describe('the conformance suite', () => {
  it('finds every sentence met by the sandbox, or left open by the specification', async () => {
    const tried = await run(service);
    const broken = tried.filter(({ verdict }) => !['met', 'open'].includes(verdict.kind));
    expect(broken.map(lineOf)).toEqual([]);
    expect(tried).toHaveLength(CHECKS.length);
  }, 60_000);

  it('finds every refusal broken in a service that accepts everything', async () => {
    const careless = spoilt((answer) => ({ ...answer, status: 200 }));
    const refusals = authenticationChecks
      .map(({ id }) => id)
      .filter((id) => !['signature-right', 'timestamp-within', 'field-unknown'].includes(id));
    const verdicts = verdictsOf(await run(careless, refusals));
    expect(new Set(Object.values(verdicts))).toEqual(new Set(['broken']));
  });

  it('finds records broken whose fields are missing or of another type', async () => {
    const wrong = spoilt((answer) => ({
      ...answer,
      json: JSON.parse(answer.text.replaceAll(/:(-?\d[\d.eE+-]*)/g, ':"$1"')),
    }));
    const verdicts = verdictsOf(
      await run(wrong, ['balance-record', 'fee-record', 'wallet-page', 'mass-create-record']),
    );
    expect(new Set(Object.values(verdicts))).toEqual(new Set(['broken']));
  });

  it('counts a service that does not answer as broken, and goes on', async () => {
    const dead: Service = { ...service, send: () => Promise.reject(new Error('no answer')) };
    const tried = await run(dead, ['signature-right', 'balance-status']);
    expect(tried.map(lineOf).join('\n')).toContain('no answer');
    expect(tried).toHaveLength(2);
  });

  it('leaves out what the service does not have, and what would pay or make something', async () => {
    const small: Service = { ...service, has: (operation) => operation === 'MASS_CREATE' };
    const careful = { ...given, payment: null };
    const tried = await runChecks({
      service: small,
      given: careful,
      mayLeaveObjects: false,
      only: ['balance-status', 'mass-create-record', 'wallet-name-length'],
    });
    expect(new Set(Object.values(verdictsOf(tried)))).toEqual(new Set(['left-out']));
    expect(markdownOf(tried).split('\n')).toHaveLength(5);
  });

  it('has a name of its own for every check', () => {
    expect(new Set(CHECKS.map(({ id }) => id)).size).toBe(CHECKS.length);
  });
});

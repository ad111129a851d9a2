import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerReadme, README_LINES, readmeProgram } from './support/readme-service.ts';
import { type RawServer, startRawServer } from './support/raw-server.ts';

/*
 * The packed package in a project of its own, as a stranger gets it from npm. Needs the registry of npm: tests that cannot reach it
 * are skipped, and fail where CI is set.
 */

const PACKAGE = resolve(import.meta.dirname, '..');
const PACKAGES_MAX = 4;
const SIZE_BYTES_MAX = 12 * 1024 * 1024;

/** The release lines of Node.js on which the client runs. npm has each as a package, for this kind of machine. */
const NODE_LINES = ['20', '22', '24', '26'];
const NODE_PACKAGE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const TYPESCRIPTS = ['5', '7'];

const run = promisify(execFile);
const npm = (cwd: string, ...args: string[]) =>
  run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd });

/** Node.js and TypeScript stay here for the next run: together they are half a gigabyte. */
const TOOLS = resolve(PACKAGE, '../../build/installed-client');
const folder = await mkdtemp(join(tmpdir(), 'bursar-installed-'));
const project = join(folder, 'project');
let server: RawServer;

const isOnline = await npm(folder, 'view', 'undici@7', 'name').then(
  () => true,
  () => false,
);
const onlineIt = isOnline || process.env['CI'] !== undefined ? it : it.skip;

/** A project with packages of npm. */
async function install(at: string, ...packages: string[]): Promise<string> {
  await mkdir(at, { recursive: true });
  await writeFile(join(at, 'package.json'), '{"private":true,"type":"module"}');
  await npm(at, 'install', ...packages);
  return at;
}

beforeAll(async () => {
  server = await startRawServer({
    onRequest: (socket, request) => socket.write(answerReadme(request)),
  });
  const { stdout } = await npm(PACKAGE, 'pack', '--json', '--pack-destination', folder);
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  const tarball = join(folder, packed?.filename ?? '');
  if (isOnline) await install(project, tarball);
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Every file below a folder with its size. */
async function sizesIn(at: string): Promise<number[]> {
  const names = await readdir(at, { recursive: true });
  const facts = await Promise.all(names.map((name) => stat(join(at, name))));
  return facts.filter((fact) => fact.isFile()).map(({ size }) => size);
}

describe('the installed package', () => {
  onlineIt(`is at most ${PACKAGES_MAX} packages and 12 MiB`, async () => {
    const lock = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, unknown>;
    };
    const names = Object.keys(lock.packages).filter((name) => name !== '');
    const sizes = await sizesIn(join(project, 'node_modules'));
    const sizeBytes = sizes.reduce((sum, size) => sum + size, 0);
    process.stdout.write(`installed: ${names.length} packages, ${sizeBytes} bytes\n`);
    expect(names).toContain('node_modules/@bursar/merchant-api');
    expect(names.length).toBeLessThanOrEqual(PACKAGES_MAX);
    expect(sizeBytes).toBeLessThanOrEqual(SIZE_BYTES_MAX);
  });
});

describe.each(NODE_LINES)('on Node.js %s', (line) => {
  let node = '';
  beforeAll(async () => {
    if (!isOnline) return;
    const at = await install(join(TOOLS, `node-${line}`), `node@npm:${NODE_PACKAGE}@${line}`);
    node = join(at, 'node_modules/node/bin/node');
    const { stdout } = await run(node, ['--version']);
    expect(stdout).toMatch(new RegExp(`^v${line}\\.`));
  });

  onlineIt('the snippets of the README run as a module', async () => {
    const program = readmeProgram(server.url);
    const printing = `const printed = [];
console.log = (...line) => printed.push(line);
process.on('exit', () => process.stdout.write(JSON.stringify(printed)));\n`;
    await writeFile(join(project, 'snippets.mjs'), `${printing}${program}`);
    const { stdout, stderr } = await run(node, ['snippets.mjs'], { cwd: project });
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(README_LINES)));
    expect(stderr).toBe('');
  });

  onlineIt('require() loads it', async () => {
    const program = `const { createMerchantClient } = require('@bursar/merchant-api');
const { PAYOUT_STATES } = require('@bursar/merchant-api/spec');
const client = createMerchantClient({ baseUrl: '${server.url}', key: 'k', secret: 's', account:
  '0x52908400098527886E0F7030069857D2E4169EE7' });
client.readBalance().then(({ value }) => {
  console.log(value.name, PAYOUT_STATES.length);
  return client.close();
});`;
    await writeFile(join(project, 'required.cjs'), program);
    const { stdout } = await run(node, ['required.cjs'], { cwd: project });
    expect(stdout).toBe('Main 9\n');
  });
});

const MODULES = {
  node16: { module: 'node16', moduleResolution: 'node16' },
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
} as const;

describe.each(TYPESCRIPTS)('with TypeScript %s', (version) => {
  let tsc = '';
  beforeAll(async () => {
    if (!isOnline) return;
    const at = await install(join(TOOLS, `typescript-${version}`), `typescript@${version}`);
    tsc = join(at, 'node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [tsc, '--version']);
    expect(stdout).toMatch(new RegExp(`^Version ${version}\\.`));
  });

  /** Compiles files of the project by all strict rules. Returns what the compiler prints. */
  async function compile(files: readonly string[], options: object): Promise<string> {
    const compilerOptions = {
      target: 'es2023',
      lib: ['es2023'],
      types: ['node'],
      strict: true,
      noUncheckedIndexedAccess: true,
      noImplicitOverride: true,
      noPropertyAccessFromIndexSignature: true,
      skipLibCheck: false,
      noEmit: true,
      ...options,
    };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const outcome = await run(process.execPath, [tsc, '-p', '.'], { cwd: project }).catch(
      (error: { stdout: string }) => error,
    );
    return outcome.stdout;
  }

  beforeAll(async () => {
    if (!isOnline) return;
    const types = await install(join(TOOLS, 'types'), '@types/node@20');
    await cp(join(types, 'node_modules'), join(project, 'node_modules'), { recursive: true });
    await writeFile(join(project, 'snippets.ts'), readmeProgram('https://api.example'));
    const required = `import { createMerchantClient, type MassPayout } from '@bursar/merchant-api';
export const create: typeof createMerchantClient = createMerchantClient;
export const stateOf = ({ state }: MassPayout): string => state;`;
    await writeFile(join(project, 'required.cts'), required);
  });

  const settings = Object.keys(MODULES).flatMap((name) =>
    [true, false].map((exactOptionalPropertyTypes) => ({ name, exactOptionalPropertyTypes })),
  );

  onlineIt.each(settings)(
    'the snippets of the README compile ($name, exactOptionalPropertyTypes: $exactOptionalPropertyTypes)',
    async ({ name, exactOptionalPropertyTypes }) => {
      const modules = MODULES[name as keyof typeof MODULES];
      expect(await compile(['snippets.ts'], { ...modules, exactOptionalPropertyTypes })).toBe('');
    },
  );

  onlineIt('a file of CommonJS compiles with nodenext', async () => {
    expect(await compile(['required.cts'], MODULES.nodenext)).toBe('');
  });

  onlineIt('a mistake would be found', async () => {
    await writeFile(
      join(project, 'mistake.ts'),
      "import { createMerchantClient } from '@bursar/merchant-api';\ncreateMerchantClient({ baseUrl: 1 });",
    );
    expect(await compile(['mistake.ts'], MODULES.node16)).toMatch(/mistake\.ts\(2,/);
  });
});

#!/usr/bin/env node
/**
 * Checks the files that deploy Bursar: the chart, the Compose files, the systemd units, the tarball, and the image in a plain
 * folder. Needs Go, Python 3 with pip, and a build; no Docker engine and no cluster. Ends with 1 when a check fails, and when a tool
 * cannot be had.
 *   node scripts/check-deploy.mjs [chart|compose|units|tarball|image]...
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse, parseAllDocuments } from 'yaml';
import { ROOT } from './built.mjs';
import { KUBERNETES, TOOLS } from './deploy-tools.mjs';
import { startRegistry } from './local-registry.mjs';
import { buildPlainImage, sizeOf, startPrograms } from './plain-image.mjs';
import { shrinkwrapOf } from './shrinkwrap.mjs';

const CHART = join(ROOT, 'deploy/chart');
const UNITS = join(ROOT, 'deploy/systemd');
const COMPOSE_FILES = ['temporal-dev.yml', 'deploy/compose.yml'];
/** Values with which the chart must refuse to be rendered. */
const REFUSED = [
  'worker.terminationGracePeriodSeconds=35',
  'store.url=sqlite:store.db',
  'blob.url=file:blobs',
  'temporal.address=',
  'codec.enabled=true',
];
/** Resources that are not Kubernetes' own, with the files that check them. These take fields that do not exist. */
const MODELS = {
  ScaledObject: '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject.js',
  ServiceMonitor:
    '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor.js',
};

const folder = mkdtempSync(join(tmpdir(), 'bursar-deploy-'));

async function checkChart({ helm, kubeconform, kubernetesSchemas, models }) {
  const render = (...more) =>
    spawnSync(helm, ['template', 'r', CHART, '--kube-version', KUBERNETES, ...more], {
      encoding: 'utf8',
    });
  const validate = (text) =>
    spawnSync(
      kubeconform,
      [
        ...[
          '-strict',
          '-summary',
          '-kubernetes-version',
          KUBERNETES,
          '-skip',
          Object.keys(MODELS).join(),
        ],
        ...['-schema-location', `${kubernetesSchemas}/{{.ResourceKind}}{{.KindSuffix}}.json`],
      ],
      { input: text, encoding: 'utf8' },
    );
  const least = join(CHART, 'ci/least-values.yaml');
  for (const name of readdirSync(join(CHART, 'ci'))) {
    const values = ['--values', join(CHART, 'ci', name)];
    must(
      spawnSync(
        helm,
        ['lint', CHART, '--strict', '--quiet', '--kube-version', KUBERNETES, ...values],
        { encoding: 'utf8' },
      ),
      `helm lint with ${name}`,
    );
    const rendered = must(render(...values), `helm template with ${name}`);
    console.log(`  ${name}: ${must(validate(rendered), `kubeconform with ${name}`).trim()}`);
    await validateModels(rendered, models);
    const wrong = validate(
      rendered.replaceAll('terminationGracePeriodSeconds', 'terminationGraceSeconds'),
    );
    if (wrong.status === 0)
      throw new Error('kubeconform takes a field that Kubernetes does not have');
  }
  for (const value of REFUSED) {
    if (render('--values', least, '--set', value).status === 0)
      throw new Error(`the chart takes ${value}`);
  }
}

async function validateModels(rendered, models) {
  for (const document of parseAllDocuments(rendered)) {
    const resource = document.toJS();
    const place = MODELS[resource?.kind];
    if (place === undefined) continue;
    const { [resource.kind]: Model } = await import(
      pathToFileURL(join(models, 'node_modules', place)).href
    );
    new Model(resource).validate();
    console.log(`  ${resource.kind} ${resource.metadata.name}`);
  }
}

function checkCompose({ composeSchema }) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const isValid = ajv.compile(JSON.parse(readFileSync(composeSchema, 'utf8')));
  for (const file of COMPOSE_FILES) {
    const content = parse(readFileSync(join(ROOT, file), 'utf8'), { merge: true });
    if (!isValid(content)) throw new Error(`${file}: ${ajv.errorsText(isValid.errors)}`);
    if (isValid({ ...content, servces: {} }))
      throw new Error('the schema takes a part that Compose does not have');
    console.log(`  ${file}`);
  }
}

/** Programs of the units stand where a tarball is installed; systemd wants them to exist. */
function checkUnits() {
  const found = spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' });
  if (found.error) throw new Error('systemd-analyze is not here: install the package systemd');
  const place = join(folder, 'units');
  mkdirSync(place);
  const units = readdirSync(UNITS).map((name) => join(place, name));
  for (const name of readdirSync(UNITS)) {
    const text = readFileSync(join(UNITS, name), 'utf8').replace('/usr/bin/node', process.execPath);
    writeFileSync(join(place, name), text);
  }
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...units], {
    encoding: 'utf8',
  });
  const remarks = stderr.split('\n').filter((line) => line.includes('bursar-'));
  if (status !== 0 || remarks.length > 0) throw new Error(`systemd-analyze verify: ${stderr}`);
  console.log(`  ${readdirSync(UNITS).join(', ')}`);
}

/** Installs from a registry on this machine. Nothing is downloaded but what npm needs to choose the versions. */
async function checkTarball() {
  const place = join(folder, 'installed');
  mkdirSync(place);
  const registry = await startRegistry(
    ['.', 'packages/merchant-api', 'packages/sandbox'].map((part) => pack(join(ROOT, part), place)),
  );
  try {
    if (existsSync(join(ROOT, 'npm-shrinkwrap.json')))
      throw new Error('the clone has a second lockfile');
    writeFileSync(join(place, 'package.json'), '{"dependencies":{"bursar":"*"}}');
    const options = ['--package-lock-only', '--no-audit', '--no-fund', '--loglevel=error'];
    const npm = spawn('npm', ['install', ...options, '--registry', registry.url], {
      cwd: place,
      stdio: 'inherit',
    });
    const [code] = await once(npm, 'exit');
    if (code !== 0) throw new Error('npm cannot install the tarball');
  } finally {
    registry.stop();
  }
  const tested = shrinkwrapOf(readJson(join(ROOT, 'package-lock.json'))).packages;
  const installed = readJson(join(place, 'package-lock.json')).packages;
  const entries = Object.entries(tested).filter(([path]) => path !== '');
  const others = entries.filter(
    ([path, { version }]) => installed[`node_modules/bursar/${path}`]?.version !== version,
  );
  if (others.length > 0)
    throw new Error(`other versions of ${others.length} packages, such as ${others[0][0]}`);
  console.log(`  ${entries.length} packages have the versions of package-lock.json`);
}

function pack(from, place) {
  const args = ['pack', '--json', '--pack-destination', place];
  const options = { cwd: from, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
  const output = execFileSync('npm', args, options);
  const { name, filename } = JSON.parse(output.slice(output.indexOf('[\n')))[0];
  return { name, folder: from, tarball: join(place, filename) };
}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

async function checkImage() {
  const place = join(folder, 'image');
  mkdirSync(place);
  // The user of the image passes through.
  chmodSync(folder, 0o711);
  const app = buildPlainImage(place);
  const sizes = ['node_modules', 'build', '.'].map(
    (name) => `${name} ${sizeOf(join(app, name)).toFixed(0)} MB`,
  );
  console.log(`  ${sizes.join(', ')}; the base image comes on top`);
  await startPrograms(app, place);
}

/** What a command printed. Throws when it failed. */
function must({ status, stdout, stderr, error }, sentence) {
  if (status !== 0) throw new Error(`${sentence}: ${error?.message ?? ''}${stdout}${stderr}`);
  return stdout;
}

/** Each part with its sentence. */
const CHECKS = {
  chart: ['the chart renders, and Kubernetes has all that it names', checkChart],
  compose: ['the Compose files obey the schema of Compose', checkCompose],
  units: ['systemd takes the units', checkUnits],
  tarball: ['an installed tarball has the versions that were tested', checkTarball],
  image: ['the image can be built and started, in a plain folder', checkImage],
};

try {
  const parts = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(CHECKS);
  for (const part of parts) {
    const [sentence, check] = CHECKS[part];
    console.log(sentence);
    await check(TOOLS);
  }
  console.log(
    'not run: docker build, docker compose up, helm install; they need an engine and a cluster',
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

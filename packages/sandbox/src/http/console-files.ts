import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';

/** A file of the console with its headers. */
export type ConsoleFile = Readonly<{
  body: Buffer;
  etag: string;
  headers: Readonly<Record<string, string>>;
}>;

export const INDEX = 'index.html';

/** The compiled files of the console are missing. */
export class ConsoleNotBuilt extends Error {
  override readonly name = 'ConsoleNotBuilt';
}

/** The modules of Preact, by their names in the page's import map. */
const PREACT = {
  'preact/preact.mjs': 'preact',
  'preact/hooks.mjs': 'preact/hooks',
  'preact/jsx-runtime.mjs': 'preact/jsx-runtime',
} as const;

/**
 * Returns every file of the console by its name below /sandbox/console/. Throws ConsoleNotBuilt.
 */
export function readConsole(root = packageFolder()): ReadonlyMap<string, ConsoleFile> {
  const written = join(root, 'src/console');
  const built = join(root, 'build/console');
  if (!existsSync(join(built, 'main.js'))) {
    throw new ConsoleNotBuilt(
      `The console is not built: ${built} is not there. Run "npm run build" and load this page again.`,
    );
  }
  const { resolve } = createRequire(join(packageFolder(), 'package.json'));
  const page = readFileSync(join(written, INDEX));
  const paths = [
    ...namesIn(written, '.css').map((name) => [name, join(written, name)] as const),
    ...namesIn(built, '.js').map((name) => [name, join(built, name)] as const),
    ...Object.entries(PREACT).map(([name, module]) => [name, resolve(module)] as const),
  ];
  const files = paths.map(([name, path]) => [name, fileOf(name, readFileSync(path))] as const);
  const policy = { 'content-security-policy': policyOf(page.toString('utf8')) };
  return new Map([...files, [INDEX, fileOf(INDEX, page, policy)]]);
}

/**
 * Returns the folder of this package. This file may run from `src`, from `build`, or from a bundle
 * of another package.
 */
const packageFolder = (): string =>
  dirname(createRequire(import.meta.url).resolve('@bursar/sandbox/package.json'));

const namesIn = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => name.replaceAll('\\', '/'));

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
};

const fileOf = (name: string, body: Buffer, more: ConsoleFile['headers'] = {}): ConsoleFile => ({
  body,
  etag: `"${sha256(body).slice(0, 22)}"`,
  headers: {
    'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...more,
  },
});

/**
 * Allows only files of the sandbox, and no text of the page can become markup or a script (trusted
 * types). The hash allows the import map, which is inside the page.
 */
function policyOf(page: string): string {
  const [, importMap = ''] = /<script type="importmap">(.*?)<\/script>/s.exec(page) ?? [];
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${sha256(importMap)}'`,
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

const sha256 = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('base64');

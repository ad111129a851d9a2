/** A registry on this machine that serves a few packed packages, and leads to the usual one for all others. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';

/** `packed`: packages with the folder they were packed from and their tarball. Returns the address, and a way to stop. */
export async function startRegistry(packed) {
  const usual = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const server = createServer(({ url, headers }, answer) => {
    const asked = decodeURIComponent(url.slice(1));
    const file = packed.find(({ tarball }) => basename(tarball) === asked);
    const described = packed.find(({ name }) => name === asked);
    if (file) answer.end(readFileSync(file.tarball));
    else if (described) answer.end(JSON.stringify(describe(described, `http://${headers.host}`)));
    else answer.writeHead(307, { location: usual.replace(/\/$/, '') + url }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}/`, stop: () => server.close() };
}

/** As a registry describes a package. npm takes the lock of a tarball only where its description names one. */
function describe({ name, folder, tarball }, address) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { version } = manifest;
  const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  const dist = { tarball: `${address}/${basename(tarball)}`, integrity };
  const hasLock = manifest.files.includes('npm-shrinkwrap.json');
  const described = { ...manifest, _id: `${name}@${version}`, _hasShrinkwrap: hasLock, dist };
  return { name, 'dist-tags': { latest: version }, versions: { [version]: described } };
}

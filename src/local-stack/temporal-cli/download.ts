import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { type Obtain, placeProgram, run } from './place-program.ts';

export type DownloadOptions = Readonly<{
  /** The address from which Temporal's SDKs download the archive too. */
  service: string;
  /** How long the service may stay silent, before its answer and between two pieces, in milliseconds. */
  silenceMsMax: number;
}>;

const Info = z.object({ archiveUrl: z.url(), fileToExtract: z.string() });

const PLATFORMS: Readonly<Record<string, string>> = {
  linux: 'linux',
  darwin: 'darwin',
  win32: 'windows',
};
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Downloads the archive for this machine and takes the program out of it; a silent network cannot make it hang. */
export const createDownload = ({ service, silenceMsMax }: DownloadOptions): Obtain => {
  return async (target, { version, say }) => {
    say(`Downloading the Temporal CLI ${version} from ${new URL(service).host}`);
    await placeProgram(target, async (folder) => {
      const about = join(folder, 'about.json');
      const archive = join(folder, 'archive.tar.gz');
      await save(infoUrl(service, version), { file: about, silenceMsMax });
      const { archiveUrl, fileToExtract } = Info.parse(JSON.parse(await readFile(about, 'utf8')));
      await save(archiveUrl, { file: archive, silenceMsMax });
      await run('tar', ['-xzf', archive, '-C', folder, fileToExtract]);
      return join(folder, fileToExtract);
    });
  };
};

function infoUrl(service: string, version: string): string {
  const platform = PLATFORMS[process.platform];
  const arch = ARCHITECTURES[process.arch];
  if (platform === undefined || arch === undefined) {
    throw new Error(`there is none for ${process.platform} ${process.arch}`);
  }
  return `${service}/${version}?arch=${arch}&platform=${platform}&format=tar.gz`;
}

async function save(
  url: string,
  { file, silenceMsMax }: Readonly<{ file: string; silenceMsMax: number }>,
): Promise<void> {
  const { host } = new URL(url);
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error(`${host} was silent`)), silenceMsMax);
  try {
    const answer = await fetch(url, { signal: silence.signal });
    if (!answer.ok || answer.body === null) throw new Error(`${host} answered ${answer.status}`);
    const heard = async function* (pieces: AsyncIterable<Uint8Array>) {
      for await (const piece of pieces) {
        timer.refresh();
        yield piece;
      }
    };
    await pipeline(answer.body, heard, createWriteStream(file));
  } catch (error) {
    throw new Error(`${host}: ${reasonOf(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** `fetch` hides why a connection failed in the cause of its error. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return (cause as Error | undefined)?.message ?? message;
}

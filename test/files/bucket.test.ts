import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ListMultipartUploadsCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { createFiles } from '../../src/files/index.ts';
import {
  filesKeepTheirContract,
  hashOf,
  hashOfMebibytes,
  MEBIBYTE,
  mebibytes,
} from './support/contract.ts';
import { bucketUrl } from '../../bench/support/s3-server.ts';
import { describeWithS3, type S3Server, startS3 } from './support/s3-server.ts';

let s3: S3Server;

describeWithS3('files in a bucket', () => {
  beforeAll(async () => {
    s3 = await startS3();
  });
  afterAll(() => s3.stop());

  filesKeepTheirContract(async () => {
    const url = await s3.newUrl();
    return {
      files: createFiles(url),
      async putRaw(path, text) {
        const object = { Bucket: new URL(url).hostname, Key: `copies/${path}`, Body: text };
        await s3.client.send(new PutObjectCommand(object));
      },
    };
  });

  it('has neither an object nor parts after the connection was cut in the middle of a put', async () => {
    const url = new URL(await s3.newUrl());
    const proxy = await cuttingProxy(new URL(s3.endpoint), 12 * MEBIBYTE);
    const sha256 = hashOfMebibytes(30);
    const cut = createFiles(bucketUrl(url.hostname, proxy.endpoint));
    await expect(cut.put(sha256, mebibytes(30))).rejects.toMatchObject({
      code: 'FILES_UNAVAILABLE',
    });
    expect(proxy.cuts()).toBeGreaterThan(0);
    await proxy.close();
    expect(await createFiles(url.href).has(sha256)).toBe(false);
    const uploads = new ListMultipartUploadsCommand({ Bucket: url.hostname });
    expect((await s3.client.send(uploads)).Uploads ?? []).toEqual([]);
  });

  it('that is not there is a fault with the address, and no missing copy', async () => {
    const files = createFiles(bucketUrl('no-such-bucket', s3.endpoint));
    await expect(files.open(hashOf('abc'))).rejects.toMatchObject({
      code: 'FILES_UNAVAILABLE',
      facts: { url: files.url },
    });
  });
});

/** All tries of the parts that are sent at once. */
const CUTS_MAX = 12;

/** Passes connections on. After so many bytes it resets each connection that sends more, a dozen times. */
async function cuttingProxy(target: URL, bytesMax: number) {
  let cuts = 0;
  let sent = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const to = connect(Number(target.port), target.hostname);
    for (const one of [socket, to]) {
      sockets.add(one);
      one.on('error', () => undefined);
    }
    socket.on('data', (bytes) => {
      sent += bytes.length;
      if (sent > bytesMax && bytes.length > 1_000 && cuts < CUTS_MAX) {
        cuts += 1;
        socket.resetAndDestroy();
        to.destroy();
      } else to.write(bytes);
    });
    to.pipe(socket);
    socket.on('close', () => to.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    endpoint: `http://127.0.0.1:${port}`,
    cuts: () => cuts,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

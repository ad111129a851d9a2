import { compact } from '../compact.ts';

/** Certificates of the client's connections, as Node.js takes them: PEM text or bytes. */
export type ClientTls = {
  /**
   * Certificates that the client trusts, in place of those of Node.js: for the service, and for an `https` proxy. To add one to
   * those of Node.js, set the environment variable `NODE_EXTRA_CA_CERTS` instead.
   */
  readonly ca?: string | Buffer | readonly (string | Buffer)[];
  /** Certificate of the client, for a service that requires one. */
  readonly cert?: string | Buffer;
  /** Private key of that certificate. */
  readonly key?: string | Buffer;
};

/** The same, as Node.js takes it. */
export type TlsSettings = Readonly<{
  ca?: string | Buffer | (string | Buffer)[];
  cert?: string | Buffer;
  key?: string | Buffer;
}>;

const TLS_MEMBERS: readonly string[] = ['ca', 'cert', 'key'] satisfies (keyof ClientTls)[];

/** Copies the settings. Returns undefined when there are others: a misspelled `ca` would trust the wrong certificates. */
export function readClientTls(tls: ClientTls): TlsSettings | undefined {
  if (typeof tls !== 'object' || tls === null) return undefined;
  if (!Object.keys(tls).every((name) => TLS_MEMBERS.includes(name))) return undefined;
  const { ca, cert, key } = tls;
  const isOne = ca === undefined || typeof ca === 'string' || Buffer.isBuffer(ca);
  return compact({ ca: isOne ? ca : [...ca], cert, key });
}

/** An HTTP proxy. `authorization`: the header `Proxy-Authorization`. */
export type ProxySettings = Readonly<{
  protocol: 'http:' | 'https:';
  host: string;
  port: string;
  authorization?: string;
}>;

/** Ports of addresses without one. */
export const DEFAULT_PORTS = { 'http:': '80', 'https:': '443' } as const;

/** Reads the address of a proxy: http or https, perhaps with credentials, without a path. Else returns undefined. */
export function readProxyUrl(text: unknown): ProxySettings | undefined {
  if (typeof text !== 'string' || !URL.canParse(text)) return undefined;
  const { protocol, hostname, port, pathname, search, hash, username, password } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  const user = decode(`${username}:${password}`);
  if (user === undefined || `${pathname}${search}${hash}` !== '/') return undefined;
  const basic = `Basic ${Buffer.from(user).toString('base64')}`;
  return {
    protocol,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port || DEFAULT_PORTS[protocol],
    ...compact({ authorization: user === ':' ? undefined : basic }),
  };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

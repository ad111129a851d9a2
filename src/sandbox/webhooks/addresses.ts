import { lookup as resolveHost } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Never a receiver: this host's own link, metadata services of clouds, many receivers at once. */
const FORBIDDEN = blockListOf([
  ['0.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 128, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
]);

/** This computer and private networks: receivers only where the settings allow it. */
const PRIVATE = blockListOf([
  ['127.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
]);

function blockListOf(ranges: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix, family] of ranges) list.addSubnet(network, prefix, family);
  return list;
}

/** Whether a webhook may be sent to this IP address. */
export function isAddressAllowed(address: string, allowPrivate: boolean): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  return !FORBIDDEN.check(address, family) && (allowPrivate || !PRIVATE.check(address, family));
}

/**
 * Whether a URL can be a receiver, as far as its text tells. Names are checked when they are
 * resolved, because what they stand for can change.
 */
export function isUrlAllowed(text: string, allowPrivate: boolean): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  if (username !== '' || password !== '') return false;
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 || isAddressAllowed(host, allowPrivate);
}

/**
 * Resolves a name and refuses it when one of its addresses is not allowed; the connection goes to
 * what was checked.
 */
export const guardedLookup =
  (allowPrivate: boolean): LookupFunction =>
  (hostname, options, callback) => {
    resolveHost(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '');
      const refused = addresses.find(({ address }) => !isAddressAllowed(address, allowPrivate));
      if (refused !== undefined) {
        return callback(new Error(`${hostname} is ${refused.address}, which is not allowed`), '');
      }
      const [first] = addresses;
      return options.all === true
        ? callback(null, addresses)
        : callback(null, first?.address ?? '', first?.family);
    });
  };

import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { DEFAULT_MODES } from '../core/modes.ts';

type Range = readonly [network: string, prefix: number];

/**
 * Addresses that never receive webhooks: link-local, metadata services of clouds, multicast and
 * reserved ones. Source: IANA's registries of special-purpose addresses.
 */
const FORBIDDEN_V4 = blockListOf('ipv4', [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]);

/** This computer and private networks. They receive webhooks only where the settings allow it. */
const PRIVATE_V4 = blockListOf('ipv4', [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
]);

/**
 * The same for IPv6. An IPv6 address is public when GLOBAL_V6 contains it and this list does not.
 */
const PRIVATE_V6 = blockListOf('ipv6', [
  ['::1', 128],
  ['fc00::', 7],
]);

const GLOBAL_V6 = blockListOf('ipv6', [['2000::', 3]]);

const FORBIDDEN_V6 = blockListOf('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
]);

/**
 * IPv6 ranges that contain an IPv4 address: mapped, NAT64 and 6to4. The number is the group at
 * which the IPv4 address begins.
 */
const EMBEDDING_V6: readonly (readonly [list: BlockList, firstGroup: number])[] = [
  [blockListOf('ipv6', [['::ffff:0:0', 96]]), 6],
  [blockListOf('ipv6', [['64:ff9b::', 96]]), 6],
  [blockListOf('ipv6', [['2002::', 16]]), 1],
];

function blockListOf(family: 'ipv4' | 'ipv6', ranges: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family);
  return list;
}

/** Whether a webhook may go to this IP address. Text that is no IP address is refused. */
export function isAddressAllowed(address: string, allowPrivate: boolean): boolean {
  switch (isIP(address)) {
    case 4:
      return isV4Allowed(address, allowPrivate);
    case 6:
      return isV6Allowed(address, allowPrivate);
    default:
      return false;
  }
}

const isV4Allowed = (address: string, allowPrivate: boolean): boolean =>
  !FORBIDDEN_V4.check(address) && (allowPrivate || !PRIVATE_V4.check(address));

function isV6Allowed(address: string, allowPrivate: boolean): boolean {
  const isIn = (list: BlockList): boolean => list.check(address, 'ipv6');
  // An address with a zone belongs to a link of this host.
  if (address.includes('%')) return false;
  const embedding = EMBEDDING_V6.find(([list]) => isIn(list));
  if (embedding !== undefined) return isV4Allowed(v4In(address, embedding[1]), allowPrivate);
  if (isIn(PRIVATE_V6)) return allowPrivate;
  return isIn(GLOBAL_V6) && !isIn(FORBIDDEN_V6);
}

/** Returns the IPv4 address in two of the eight groups of an IPv6 address. */
function v4In(address: string, firstGroup: number): string {
  // A URL writes every IPv6 address in one way: short, and in hexadecimal only.
  const { hostname } = new URL(`http://[${address}]/`);
  const [head = '', tail = ''] = hostname.slice(1, -1).split('::');
  const [front, back] = [head, tail].map((part) => (part === '' ? [] : part.split(':')));
  const missing = 8 - (front?.length ?? 0) - (back?.length ?? 0);
  const groups = [...(front ?? []), ...Array<string>(missing).fill('0'), ...(back ?? [])];
  return groups
    .slice(firstGroup, firstGroup + 2)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/** The ports of the web, which are always allowed. */
const WEB_PORTS: readonly string[] = ['', '80', '443'];

/**
 * Whether the text of a URL allows it as a receiver. `portMin` is the lowest port besides those of
 * the web, null any port. Names are checked when they are resolved,
 * because their addresses can change.
 */
export function isUrlAllowed(
  text: string,
  allowPrivate: boolean,
  portMin: number | null = DEFAULT_MODES.webhookPortMin,
): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, port, username, password } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  if (username !== '' || password !== '') return false;
  if (!WEB_PORTS.includes(port) && Number.parseInt(port, 10) < (portMin ?? 0)) return false;
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 || isAddressAllowed(host, allowPrivate);
}

export type ResolvedAddress = Readonly<{ address: string; family: number }>;

/** Returns every present address of a name. */
export type ResolveHost = (
  hostname: string,
  done: (error: Error | null, addresses: readonly ResolvedAddress[]) => void,
) => void;

export const resolveHost: ResolveHost = (hostname, done) =>
  lookup(hostname, { all: true }, (error, addresses) => done(error, addresses ?? []));

/**
 * Resolves a name once and refuses it when one of its addresses is not allowed. The connection goes
 * to the checked address, so a second answer of the name server changes nothing.
 */
export const guardedLookup =
  (allowPrivate: boolean, resolve: ResolveHost): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, (error, addresses) => {
      const [first] = addresses;
      if (error !== null) return callback(error, '');
      if (first === undefined) return callback(new Error(`${hostname} has no address`), '');
      const refused = addresses.find(({ address }) => !isAddressAllowed(address, allowPrivate));
      if (refused !== undefined) {
        return callback(new Error(`${hostname} is ${refused.address}, which is not allowed`), '');
      }
      return options.all === true
        ? callback(null, [...addresses])
        : callback(null, first.address, first.family);
    });
  };

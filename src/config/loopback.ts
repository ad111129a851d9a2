import { isIPv4 } from 'node:net';

/** Whether an address is on this machine. A name like 127.pay.example is not, though it begins as one. */
export function isLoopbackUrl(url: string): boolean {
  const { hostname } = new URL(url);
  return (
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    (isIPv4(hostname) && hostname.startsWith('127.'))
  );
}

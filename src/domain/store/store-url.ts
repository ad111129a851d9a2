import { maskedUrl } from '../text/masked-url.ts';

/**
 * Whether this version has a driver for the address of a store. `sqlite://host/x` is refused too: a SQLite file has no host,
 * and the address would become a folder with that name.
 */
export const isStoreUrl = (url: string): boolean =>
  /^sqlite:(?!\/\/[^/]).+$/.test(url) && maskedUrl(url) === url;

import { useEffect, useState } from 'preact/hooks';

/** The page and its query, from `#/batches/ID?outcome=FAILED`. The part after the hash never leaves the browser. */
export type WebRoute = Readonly<{ path: readonly string[]; query: URLSearchParams }>;

export type RouteQuery = Readonly<Record<string, string | number | null | undefined>>;

export function readRoute(hash: string): WebRoute {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const parts = path.split('/').filter((part) => part !== '');
  return { path: parts.map(decode), query: new URLSearchParams(query) };
}

/** Returns a link to a page. Names without a value are left out of the query. */
export function linkTo(path: readonly (string | number)[], query: RouteQuery = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(given).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}

export const openLink = (link: string): void => void (location.hash = link);

export function useRoute(): WebRoute {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  useEffect(() => {
    const follow = (): void => setRoute(readRoute(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return route;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

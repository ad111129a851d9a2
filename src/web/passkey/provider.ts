import { callApi } from '../api/call.ts';

/** The name of the provider at which people can sign in too; null: there is none. @throws ApiFailure */
export async function readProvider(signal: AbortSignal): Promise<string | null> {
  const { name } = (await callApi('GET /v1/session/oidc', { signal })) as Readonly<{
    name: string | null;
  }>;
  return name;
}

/** Leaves for the provider, which sends the browser back signed in. @throws ApiFailure */
export async function leaveForProvider(): Promise<void> {
  const { url } = (await callApi('POST /v1/session/oidc')) as Readonly<{ url: string }>;
  keepPlace(location.hash);
  location.assign(url);
}

const KEY = 'bursar.place';

/** Without the storage of the browser the person comes back to the first page. */
function keepPlace(hash: string): void {
  try {
    sessionStorage.setItem(KEY, hash);
  } catch {
    // The place is a comfort.
  }
}

/** Opens the page that the person was at before they left for the provider. It is the part after the hash alone. */
export function returnToPlace(): void {
  const place = takePlace();
  const isFirstPage = /^(#\/?(\?.*)?)?$/.test(location.hash);
  if (isFirstPage && place?.startsWith('#/') === true) location.hash = place;
}

function takePlace(): string | null {
  try {
    const place = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return place;
  } catch {
    return null;
  }
}

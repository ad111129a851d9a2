import { maskedUrl } from '../text/masked-url.ts';

/** The address of a bucket, for people. */
export const BUCKET_URL_RULE =
  's3://BUCKET/PREFIX with ?region=, &endpoint= and &pathStyle=true where needed, without user:password@';

/** The addresses of files that this version serves, for people. */
export const FILES_URL_RULE = `file:FOLDER, or ${BUCKET_URL_RULE}`;

/** A folder of this machine. */
export type FolderPlace = Readonly<{ kind: 'folder'; folder: string }>;

/** A bucket of an object store. Values that are missing come from the surroundings, as for other programs. */
export type BucketPlace = Readonly<{
  kind: 'bucket';
  bucket: string;
  /** Ends with a slash, or is empty. */
  prefix: string;
  region?: string;
  endpoint?: string;
  /** Whether the bucket stands in the path of an address, and not in the name of the host. */
  pathStyle: boolean;
}>;

const S3 =
  /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(?<prefix>[\w./-]*))?(?:\?(?<query>.+))?$/;

/** The values that an address of a bucket may have. A key or a secret is none of them. */
const PARAMETERS: Readonly<Record<string, RegExp>> = {
  region: /^[a-z0-9-]{1,40}$/,
  endpoint: /^https?:\/\/[\w.:[\]-]{1,300}\/?$/,
  pathStyle: /^(?:true|false)$/,
};

/** The place that an address of files names; undefined when this version does not serve it. */
export function filesPlaceOf(url: string): FolderPlace | BucketPlace | undefined {
  if (maskedUrl(url) !== url) return undefined;
  const [, folder] = /^file:(?:\/\/)?(.+)$/.exec(url) ?? [];
  if (folder !== undefined) return { kind: 'folder', folder };
  const { bucket, prefix = '', query } = S3.exec(url)?.groups ?? {};
  const given = parametersOf(query);
  if (bucket === undefined || given === undefined || !isPlainPrefix(prefix)) return undefined;
  const { region, endpoint, pathStyle } = given;
  return {
    kind: 'bucket',
    bucket,
    prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`,
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint }),
    pathStyle: pathStyle === 'true',
  };
}

/** A prefix with an empty part or a part of dots would be another one for some servers. */
const isPlainPrefix = (prefix: string): boolean =>
  prefix
    .replace(/\/$/, '')
    .split('/')
    .every((part, _n, parts) => (part !== '' || parts.length === 1) && !/^\.+$/.test(part));

function parametersOf(query: string | undefined): Record<string, string> | undefined {
  const given: Record<string, string> = {};
  for (const pair of query?.split('&') ?? []) {
    const [name = '', ...rest] = pair.split('=');
    const value = decoded(rest.join('='));
    if (value === undefined || name in given || PARAMETERS[name]?.test(value) !== true) {
      return undefined;
    }
    given[name] = value;
  }
  return given;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

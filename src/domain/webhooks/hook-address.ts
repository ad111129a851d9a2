/** Where the bridge takes webhooks; what follows is a token. */
const HOOK_PATH = '/hooks/';

/** The address that webhooks are sent to. Its last part is a secret: only the service receives it. */
export const hookUrl = (publicUrl: string, token: string): string =>
  `${publicUrl}${HOOK_PATH}${token}`;

/** The form of our webhooks: the outside address of the bridge, where it is set, and the tokens that it accepts. */
export type OurHooks = Readonly<{ publicUrl: string | null; tokens: readonly string[] }>;

/** Whether the bridge would take a webhook to this address. Without an outside address the token alone decides. */
export const isOurs = (url: string, { publicUrl, tokens }: OurHooks): boolean =>
  publicUrl === null
    ? tokens.some((token) => url.endsWith(`${HOOK_PATH}${token}`))
    : tokens.some((token) => url === hookUrl(publicUrl, token));

/** Whether an address was ours once: it has a token of ours and another host, or our host and a token of the past. */
export const wasOurs = (url: string, ours: OurHooks): boolean =>
  !isOurs(url, ours) &&
  (isOurs(url, { ...ours, publicUrl: null }) ||
    (ours.publicUrl !== null && url.startsWith(`${ours.publicUrl}${HOOK_PATH}`)));

/** An address of webhooks as it may be shown: of the bridge without its token, of other receivers the host alone. */
export function shownHookUrl(url: string): string {
  const at = url.lastIndexOf(HOOK_PATH);
  if (at !== -1) return `${url.slice(0, at)}${HOOK_PATH}...`;
  const [origin = ''] = /^[a-z]+:\/\/[^/?#]*/i.exec(url) ?? [];
  return `${origin.replace(/\/\/[^@]*@/, '//')}/...`;
}

/** The claims of an ID token. */
export type TokenClaims = Readonly<Record<string, unknown>>;

/** A provider of OpenID Connect on this machine, of another maker. */
export type OidcServer = Readonly<{
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The person at the provider: everybody who comes is this account, and consents. */
  account: { sub: string; email?: string; email_verified?: boolean; preferred_username?: string };
  /** Changes the claims of the next ID tokens, which are signed again; `sign`: false leaves the old signature. */
  tamper: { change(claims: TokenClaims): TokenClaims; sign: boolean };
  /** The requests for tokens that it answered. */
  tokenRequests: { status: number; body: Readonly<Record<string, string>> }[];
  /** Goes through the pages of the provider as a browser does. Returns the address that it sends the browser back to. */
  visit(url: string): Promise<string>;
  close(): Promise<void>;
}>;

/** `login`: how the client proves itself. `redirectUri`: the only one that the client has. */
export function startOidcServer(
  choices: Readonly<{ redirectUri: string; login?: string; inIdToken?: boolean }>,
): Promise<OidcServer>;

/** A request to prove who is at a page. */
export type SignInRequest = Readonly<{
  /** The page, such as `https://pay.example.com`. */
  origin: string;
  /** 32 random bytes of the server in base64 for web addresses. They are used once. */
  challenge: string;
}>;

/** The text that a passkey signs to sign in. Its first line is that of no approval, so that neither passes for the other. */
export const signInText = ({ origin, challenge }: SignInRequest): string =>
  [
    'bursar-sign-in/v1',
    `origin ${JSON.stringify(origin)}`,
    `challenge ${JSON.stringify(challenge)}`,
  ].join('\n');

/** How long a person may take to sign in, in milliseconds. */
export const CHALLENGE_MS = 5 * 60_000;

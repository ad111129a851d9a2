import { signInText } from '../../domain/approval/sign-in.ts';
import { callApi } from '../api/call.ts';
import { signText } from './ask.ts';

/** A question that the server puts to a person who signs in. `rpId`: the host that passkeys are made for. */
export type SignInChallenge = Readonly<{ challenge: string; rpId: string; expiresAt: string }>;

export const readChallenge = async (): Promise<SignInChallenge> =>
  (await callApi('POST /v1/session/challenge')) as SignInChallenge;

/** Signs in with a passkey. The server sets the cookie of the session. @throws ApiFailure, PasskeyFailure */
export async function signIn(): Promise<void> {
  const { challenge, rpId } = await readChallenge();
  const text = signInText({ origin: location.origin, challenge });
  const { signature, person } = await signText(text, rpId);
  await callApi('POST /v1/session', { body: { challenge, person, signature } });
}

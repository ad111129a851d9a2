import { z } from 'zod';
import { isLoopbackUrl } from './loopback.ts';
import { filePath, readAs, text } from './readers.ts';

const issuer = readAs(
  'the issuer of the provider, such as https://login.example.com, as its tokens name it',
  (given) => {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    if (url === undefined || `${url.username}${url.password}${url.search}${url.hash}` !== '') {
      return undefined;
    }
    const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackUrl(given));
    return isSafe && !url.pathname.includes('/.well-known/') ? url.href : undefined;
  },
);

const claim = readAs('the name of a claim, such as sub or email', (given) =>
  /^[\w.:/-]{1,100}$/.test(given) ? given : undefined,
);

const table = z.strictObject({
  issuer: issuer
    .optional()
    .describe(
      'The provider of OpenID Connect at which people may also sign in. Without it they sign in with passkeys alone.',
    ),
  client_id: text.optional().describe('The name of this server at the provider.'),
  client_secret_file: filePath
    .optional()
    .describe('A file with the secret of this server at the provider. Its mode is 0600 or 0400.'),
  claim: claim
    .default('sub')
    .describe(
      'The claim of the ID token that names a person: its value is `oidc` of the person in `approval.people`. `email` counts where the provider has verified it.',
    ),
  scope: readAs('names with spaces, such as openid email', (given) =>
    given.split(' ').includes('openid') && /^[\x21\x23-\x5b\x5d-\x7e ]{1,500}$/.test(given)
      ? given
      : undefined,
  )
    .default('openid')
    .describe('The scope of a sign-in. The claim `email` needs `openid email`.'),
  name: text
    .optional()
    .describe('The name of the provider on the sign-in page. Without it: the host of the issuer.'),
});

/** A provider of OpenID Connect. */
export const oidcSection = table.prefault({}).superRefine((section, context) => {
  const needed = ['issuer', 'client_id', 'client_secret_file'] as const;
  if (needed.every((key) => section[key] === undefined)) return;
  for (const key of needed) {
    if (section[key] !== undefined) continue;
    const others = needed.filter((one) => one !== key).join(' and ');
    context.addIssue({
      code: 'custom',
      path: [key],
      message: `is missing: it goes with ${others}`,
    });
  }
});

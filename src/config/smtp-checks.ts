/** What is wrong with the access to an SMTP server. A password stands in its file, and a user has one. */
export function smtpProblems({
  smtp,
  secret_file: secretFile,
}: Readonly<{ smtp?: string | undefined; secret_file?: unknown }>): readonly Readonly<{
  key: 'smtp' | 'secret_file';
  says: string;
}>[] {
  const { username, password } = smtp === undefined ? NO_USER : new URL(smtp);
  if (password !== '') return [{ key: 'smtp', says: 'must not hold a password' }];
  if ((username === '') === (secretFile === undefined)) return [];
  return [
    {
      key: 'secret_file',
      says: 'is for the password of a user: one is not there without the other',
    },
  ];
}

const NO_USER = { username: '', password: '' };

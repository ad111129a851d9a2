/** The option of every command whose act may need a signature. */
export const KEY = [
  '--key <file>',
  'your private key, if a policy needs approvals; operator.key_file by default',
] as const;

export const PASSPHRASE = [
  '--passphrase-file <file>',
  'a file of mode 0600 with the passphrase of the key; by default you type it',
] as const;

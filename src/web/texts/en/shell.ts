/** The frame of the pages: navigation, sign-in, errors. */
export const EN_SHELL = {
  /** The name of the language in itself. */
  name: 'English',
  shell: {
    skip: 'Skip to the content',
    pages: 'Pages',
    menu: 'Menu',
    language: 'Language',
    theme: 'Colours',
    themes: { auto: 'As the device', light: 'Light', dark: 'Dark' },
    signOut: 'Sign out',
    signedOut: 'You are signed out.',
    loading: 'Loading …',
    notRead: 'This could not be read.',
    noStart: 'The app cannot start.',
    again: 'Try again',
    /** Before words that only the server has. */
    inEnglish: 'In English:',
    more: 'Show more',
    noPage: 'Page not found',
    toInbox: 'Go to your tasks.',
  },
  pages: {
    inbox: 'To do',
    new: 'New payment',
    batches: 'Batches',
    funds: 'Money',
    schedules: 'Schedules',
    payees: 'Payees',
    audit: 'Audit log',
    people: 'People',
  },
  ribbon: {
    about: 'Where payments come from',
    LIVE: 'LIVE: real money',
    SANDBOX: 'Sandbox: play money',
    none: 'No service is set: nothing can be paid',
    account: 'Account',
  },
  roles: {
    read: 'view and approve',
    submit: 'view, approve and submit payments',
    operate: 'view, approve, submit, pause, resume and cancel, and change payees',
  },
  signIn: {
    title: 'Sign in',
    about: 'Use the passkey of this device, of your phone, or your security key.',
    button: 'Sign in with a passkey',
    running: 'Waiting for your passkey …',
    done: 'You are signed in.',
    ended: 'You were signed out: the server was restarted or your session ended. Sign in again.',
    failed: 'You are not signed in.',
    none: 'No passkey for this address yet?',
    make: 'Make a passkey',
    back: 'Back to the sign-in',
    provider: 'Sign in with',
  },
  sessionEnd: {
    title: 'You will be signed out soon.',
    at: 'Your session ends on',
    about: 'What you have typed and not sent is lost then. Your passkey lets you go on here.',
    aboutProvider:
      'What you have typed and not sent is lost then, and also when you sign in again: this page is left.',
    renew: 'Stay signed in',
    renewAtProvider: 'Sign in again',
    leave: 'Sign out now',
    renewed: 'You stay signed in.',
    failed: 'The session was not renewed.',
  },
  passkeyAdvice: {
    title: 'You cannot approve here yet: you have no passkey.',
    about: 'A sign-in alone approves nothing. Each decision is signed by a passkey of yours.',
    steps: [
      'Make a passkey on your device, which takes a minute.',
      'Give the line that the page shows to your operator, who adds it to the settings.',
      'Sign in with the passkey.',
    ],
  },
  passkey: {
    title: 'Make a passkey',
    about:
      'The private half stays on your device. The public half becomes a line of the settings, which your operator adds. Nothing is stored here.',
    name: 'Your name in Bursar',
    nameHint: 'As the operator knows you, such as bob. Letters, digits, ".", "_" and "-".',
    nameWrong: 'Use 1 to 64 letters, digits, ".", "_" and "-", beginning with a letter or digit.',
    button: 'Make a passkey',
    made: 'The passkey is made.',
    failed: 'No passkey was made.',
    hand: 'Give these lines to your operator, in person or by a message that they can trust. The operator adds your roles, and you can then sign in:',
    handKnown:
      'Give these lines to your operator, in person or by a message that they can trust. The key goes to your entry in the settings:',
    line: 'lines of the settings',
  },
  copy: {
    button: 'Copy',
    done: (what: string) => `Copied: ${what}.`,
    refused: (what: string) =>
      `The browser does not let this page copy. Select and copy it: ${what}.`,
  },
  /** Sentences for errors of the page itself, and for errors whose sentence at the server is for programs. */
  failures: {
    WORD_NOT_FOUND: [
      'No payment was found.',
      'Type the whole reference or address, with the same capital letters as in the file. Of a name, a part is enough.',
    ],
    BATCH_NOT_FOUND: [
      'This server has no such batch.',
      'Its name may be mistyped. The page "Batches" has all of them.',
    ],
    NO_ANSWER: ['The server does not answer.', 'Check your connection, then try again.'],
    ANSWER_ODD: ['The server sent an answer that this page cannot read.', 'Load the page again.'],
    PASSKEY_MISSING: [
      'This browser cannot use passkeys on this page.',
      'Use a current browser, and open the page by https or at localhost.',
    ],
    PASSKEY_STOPPED: [
      'The passkey was not used.',
      'You closed its window, waited too long, or have no passkey for this address.',
    ],
    PASSKEY_UNUSABLE: [
      'This device makes a kind of key that Bursar does not accept.',
      'Use your phone or a security key.',
    ],
    SIGN_IN_REFUSED: [
      'This passkey is not known here.',
      'Your operator must first add its line to the settings.',
    ],
    OIDC_DENIED: [
      'The other service has not signed you in.',
      'You stopped, or your account may not use this application. Ask whoever manages your accounts.',
    ],
    OIDC_REFUSED: [
      'The sign-in did not come to a good end.',
      'Start again here, in one window and without the back button. You have ten minutes.',
    ],
    OIDC_PERSON_UNKNOWN: [
      'Nobody here has your account.',
      'The other service knows you, but you are not listed in the settings. Your operator can add you.',
    ],
    OIDC_UNREACHABLE: [
      'The other service cannot be used now.',
      'Try again in a minute, or sign in with a passkey. Tell your operator if it goes on.',
    ],
  },
};

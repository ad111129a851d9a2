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
    audit: 'Audit log',
    people: 'People',
  },
  ribbon: { LIVE: 'LIVE: real money', SANDBOX: 'Sandbox: play money', account: 'Account' },
  roles: {
    read: 'view and approve',
    submit: 'view, approve and submit payments',
    operate: 'view, approve, submit, pause, resume and cancel',
  },
  signIn: {
    title: 'Sign in',
    about: 'Use the passkey of this device, of your phone, or your security key.',
    button: 'Sign in with a passkey',
    running: 'Waiting for your passkey …',
    done: 'You are signed in.',
    failed: 'You are not signed in.',
    none: 'No passkey for this address yet?',
    make: 'Make a passkey',
    back: 'Back to the sign-in',
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
    hand: 'Give these lines to your operator, in person or by a message that they can trust:',
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
  },
};

import type { EN_SHELL } from '../en/shell.ts';

export const DE_SHELL: typeof EN_SHELL = {
  name: 'Deutsch',
  shell: {
    skip: 'Zum Inhalt',
    pages: 'Seiten',
    menu: 'Menü',
    language: 'Sprache',
    theme: 'Farben',
    themes: { auto: 'Wie im Gerät', light: 'Hell', dark: 'Dunkel' },
    signOut: 'Abmelden',
    signedOut: 'Sie sind abgemeldet.',
    loading: 'Wird geladen …',
    notRead: 'Das konnte nicht gelesen werden.',
    noStart: 'Die App kann nicht starten.',
    again: 'Noch einmal versuchen',
    /** Before words that only the server has. */
    inEnglish: 'Auf Englisch:',
    more: 'Mehr anzeigen',
    noPage: 'Seite nicht gefunden',
    toInbox: 'Zu Ihren Aufgaben.',
  },
  pages: {
    inbox: 'Zu tun',
    new: 'Neue Zahlung',
    batches: 'Stapel',
    funds: 'Geld',
    schedules: 'Zeitpläne',
    payees: 'Empfänger',
    audit: 'Protokoll',
    people: 'Personen',
  },
  ribbon: {
    about: 'Woher gezahlt wird',
    LIVE: 'LIVE: echtes Geld',
    SANDBOX: 'Sandbox: Spielgeld',
    none: 'Kein Dienst ist eingestellt: nichts kann bezahlt werden',
    account: 'Konto',
  },
  roles: {
    read: 'ansehen und freigeben',
    submit: 'ansehen, freigeben und Zahlungen einreichen',
    operate: 'ansehen, freigeben, einreichen, anhalten, fortsetzen, abbrechen und Empfänger ändern',
  },
  signIn: {
    title: 'Anmelden',
    about: 'Mit dem Passkey dieses Geräts, Ihres Telefons oder Ihrem Sicherheitsschlüssel.',
    button: 'Mit Passkey anmelden',
    running: 'Wartet auf Ihren Passkey …',
    done: 'Sie sind angemeldet.',
    ended:
      'Sie wurden abgemeldet: Der Server wurde neu gestartet, oder Ihre Sitzung ist abgelaufen. Melden Sie sich wieder an.',
    failed: 'Sie sind nicht angemeldet.',
    none: 'Noch kein Passkey für diese Adresse?',
    make: 'Passkey anlegen',
    back: 'Zurück zur Anmeldung',
    provider: 'Anmelden mit',
  },
  sessionEnd: {
    title: 'Sie werden bald abgemeldet.',
    at: 'Ihre Sitzung endet am',
    about:
      'Was Sie eingegeben und nicht gesendet haben, geht dann verloren. Mit Ihrem Passkey machen Sie hier weiter.',
    aboutProvider:
      'Was Sie eingegeben und nicht gesendet haben, geht dann verloren, auch wenn Sie sich neu anmelden: dabei verlassen Sie diese Seite.',
    renew: 'Angemeldet bleiben',
    renewAtProvider: 'Neu anmelden',
    leave: 'Jetzt abmelden',
    renewed: 'Sie bleiben angemeldet.',
    failed: 'Die Sitzung wurde nicht verlängert.',
  },
  passkeyAdvice: {
    title: 'Sie können hier noch nicht freigeben: Sie haben keinen Passkey.',
    about:
      'Eine Anmeldung allein gibt nichts frei. Jede Entscheidung unterschreibt ein Passkey von Ihnen.',
    steps: [
      'Legen Sie auf Ihrem Gerät einen Passkey an. Das dauert eine Minute.',
      'Geben Sie die Zeile, die die Seite zeigt, Ihrem Administrator. Er trägt sie in die Einstellungen ein.',
      'Melden Sie sich mit dem Passkey an.',
    ],
  },
  passkey: {
    title: 'Passkey anlegen',
    about:
      'Der private Teil bleibt auf Ihrem Gerät. Der öffentliche Teil wird eine Zeile der Einstellungen, die Ihr Administrator einträgt. Hier wird nichts gespeichert.',
    name: 'Ihr Name in Bursar',
    nameHint:
      'So, wie Ihr Administrator Sie kennt, zum Beispiel bob. Buchstaben, Ziffern, ".", "_" und "-".',
    nameWrong:
      '1 bis 64 Buchstaben, Ziffern, ".", "_" und "-"; am Anfang ein Buchstabe oder eine Ziffer.',
    button: 'Passkey anlegen',
    made: 'Der Passkey wurde angelegt.',
    failed: 'Es wurde kein Passkey angelegt.',
    hand: 'Geben Sie diese Zeilen Ihrem Administrator, persönlich oder in einer Nachricht, der er vertrauen kann. Er fügt Ihre Rollen hinzu, dann können Sie sich anmelden:',
    handKnown:
      'Geben Sie diese Zeilen Ihrem Administrator, persönlich oder in einer Nachricht, der er vertrauen kann. Der Schlüssel gehört in Ihren Eintrag der Einstellungen:',
    line: 'Zeilen der Einstellungen',
  },
  copy: {
    button: 'Kopieren',
    done: (what: string) => `Kopiert: ${what}.`,
    refused: (what: string) =>
      `Der Browser erlaubt dieser Seite nicht zu kopieren. Bitte markieren und kopieren Sie: ${what}.`,
  },
  failures: {
    WORD_NOT_FOUND: [
      'Keine Zahlung wurde gefunden.',
      'Geben Sie die ganze Referenz oder Adresse ein, groß und klein wie in der Datei. Von einem Namen genügt ein Teil.',
    ],
    BATCH_NOT_FOUND: [
      'Dieser Server hat keinen solchen Stapel.',
      'Vielleicht ist der Name vertippt. Die Seite „Stapel“ hat alle.',
    ],
    NO_ANSWER: [
      'Der Server antwortet nicht.',
      'Prüfen Sie die Verbindung und versuchen Sie es noch einmal.',
    ],
    ANSWER_ODD: [
      'Diese Seite kann die Antwort des Servers nicht lesen.',
      'Laden Sie die Seite neu.',
    ],
    PASSKEY_MISSING: [
      'Dieser Browser kann auf dieser Seite keine Passkeys verwenden.',
      'Verwenden Sie einen aktuellen Browser und öffnen Sie die Seite mit https oder unter localhost.',
    ],
    PASSKEY_STOPPED: [
      'Der Passkey wurde nicht benutzt.',
      'Sie haben sein Fenster geschlossen, zu lange gewartet oder haben keinen Passkey für diese Adresse.',
    ],
    PASSKEY_UNUSABLE: [
      'Dieses Gerät erzeugt eine Art von Schlüssel, die Bursar nicht annimmt.',
      'Verwenden Sie Ihr Telefon oder einen Sicherheitsschlüssel.',
    ],
    SIGN_IN_REFUSED: [
      'Dieser Passkey ist hier nicht bekannt.',
      'Ihr Administrator muss zuerst seine Zeile in die Einstellungen eintragen.',
    ],
    OIDC_DENIED: [
      'Der andere Dienst hat Sie nicht angemeldet.',
      'Sie haben abgebrochen, oder Ihr Konto darf diese Anwendung nicht nutzen. Fragen Sie, wer Ihre Konten verwaltet.',
    ],
    OIDC_REFUSED: [
      'Die Anmeldung ist nicht gelungen.',
      'Beginnen Sie hier noch einmal, in einem Fenster und ohne die Zurück-Taste. Sie haben zehn Minuten.',
    ],
    OIDC_PERSON_UNKNOWN: [
      'Niemand hat hier Ihr Konto.',
      'Der andere Dienst kennt Sie, aber Sie stehen nicht in den Einstellungen. Ihr Administrator kann Sie eintragen.',
    ],
    OIDC_UNREACHABLE: [
      'Der andere Dienst ist gerade nicht nutzbar.',
      'Versuchen Sie es in einer Minute noch einmal, oder melden Sie sich mit einem Passkey an. Dauert es an, sagen Sie es Ihrem Administrator.',
    ],
  },
};

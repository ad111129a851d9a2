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
    audit: 'Protokoll',
    people: 'Personen',
  },
  ribbon: { LIVE: 'LIVE: echtes Geld', SANDBOX: 'Sandbox: Spielgeld', account: 'Konto' },
  roles: {
    read: 'ansehen und freigeben',
    submit: 'ansehen, freigeben und Zahlungen einreichen',
    operate: 'ansehen, freigeben, einreichen, anhalten, fortsetzen und abbrechen',
  },
  signIn: {
    title: 'Anmelden',
    about: 'Mit dem Passkey dieses Geräts, Ihres Telefons oder Ihrem Sicherheitsschlüssel.',
    button: 'Mit Passkey anmelden',
    running: 'Wartet auf Ihren Passkey …',
    done: 'Sie sind angemeldet.',
    failed: 'Sie sind nicht angemeldet.',
    none: 'Noch kein Passkey für diese Adresse?',
    make: 'Passkey anlegen',
    back: 'Zurück zur Anmeldung',
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
    hand: 'Geben Sie diese Zeilen Ihrem Administrator, persönlich oder in einer Nachricht, der er vertrauen kann:',
    line: 'Zeilen der Einstellungen',
  },
  copy: {
    button: 'Kopieren',
    done: (what: string) => `Kopiert: ${what}.`,
    refused: (what: string) =>
      `Der Browser erlaubt dieser Seite nicht zu kopieren. Bitte markieren und kopieren Sie: ${what}.`,
  },
  failures: {
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
  },
};

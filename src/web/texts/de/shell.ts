import type { EN_SHELL } from '../en/shell.ts';

export const DE_SHELL: typeof EN_SHELL = {
  name: 'Deutsch',
  shell: {
    skip: 'Zum Inhalt',
    pages: 'Seiten',
    menu: 'Menü',
    language: 'Sprache',
    theme: 'Farben',
    themes: { auto: 'Wie das Gerät', light: 'Hell', dark: 'Dunkel' },
    signOut: 'Abmelden',
    signedOut: 'Sie sind abgemeldet.',
    loading: 'Wird geladen …',
    notRead: 'Das konnte nicht gelesen werden.',
    noStart: 'Die App kann nicht starten.',
    again: 'Noch einmal versuchen',
    more: 'Mehr zeigen',
    noPage: 'Seite nicht gefunden',
    toInbox: 'Zu dem, was auf Sie wartet.',
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
  ribbon: {
    LIVE: 'LIVE: echtes Geld',
    SANDBOX: 'Sandbox: Spielgeld',
    none: 'Kein Dienst ist eingestellt: nichts kann bezahlt werden',
    account: 'Konto',
  },
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
      'Die geheime Hälfte bleibt auf Ihrem Gerät. Die öffentliche Hälfte wird eine Zeile der Einstellungen, die Ihr Betreuer einträgt. Hier wird nichts gespeichert.',
    name: 'Ihr Name in Bursar',
    nameHint: 'Wie der Betreuer Sie kennt, etwa bob. Buchstaben, Ziffern, ".", "_" und "-".',
    nameWrong:
      '1 bis 64 Buchstaben, Ziffern, ".", "_" und "-"; am Anfang ein Buchstabe oder eine Ziffer.',
    button: 'Passkey anlegen',
    made: 'Der Passkey ist angelegt.',
    failed: 'Es wurde kein Passkey angelegt.',
    hand: 'Geben Sie diese Zeilen Ihrem Betreuer, persönlich oder auf einem Weg, dem er vertraut. Er fügt Ihre Rollen hinzu, dann können Sie sich anmelden:',
    line: 'Zeilen der Einstellungen',
  },
  copy: {
    button: 'Kopieren',
    done: (what: string) => `Kopiert: ${what}.`,
    refused: (what: string) =>
      `Der Browser lässt diese Seite nicht kopieren. Bitte markieren und kopieren: ${what}.`,
  },
  failures: {
    WORD_NOT_FOUND: [
      'Keine Zahlung wurde gefunden.',
      'Geben Sie die ganze Referenz, den ganzen Namen oder die ganze Adresse ein, groß und klein wie in der Datei.',
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
      'Dieser Browser hat hier keine Passkeys.',
      'Nehmen Sie einen aktuellen Browser und öffnen Sie die Seite mit https oder unter localhost.',
    ],
    PASSKEY_STOPPED: [
      'Der Passkey wurde nicht benutzt.',
      'Sie haben sein Fenster geschlossen, zu lange gewartet oder haben keinen Passkey für diese Adresse.',
    ],
    PASSKEY_UNUSABLE: [
      'Dieses Gerät macht eine Art von Schlüssel, die nicht zählt.',
      'Nehmen Sie Ihr Telefon oder einen Sicherheitsschlüssel.',
    ],
    SIGN_IN_REFUSED: [
      'Dieser Passkey ist hier nicht bekannt.',
      'Ihr Betreuer muss erst die Zeile in die Einstellungen eintragen.',
    ],
  },
};

import type { EN_PAYEES } from '../en/payees.ts';

export const DE_PAYEES: typeof EN_PAYEES = {
  payees: {
    title: 'Empfänger',
    about:
      'Wer bezahlt wird: die Wallet-Adressen dieses Kontos mit Namen und Labels, und wer bezahlt werden darf.',
    label: 'Empfänger finden: Name, Adresse oder Label',
    payee: 'Empfänger',
    network: 'Netzwerk',
    labels: 'Labels',
    status: 'Status',
    statuses: {
      LISTED: 'Im Verzeichnis',
      UNLISTED: 'Nicht im Verzeichnis',
      ALLOWED: 'Erlaubt',
      DENIED: 'Gesperrt',
    },
    none: 'Es gibt keine solchen Empfänger.',
    noName: 'Ohne Namen',
    pages: 'Seiten der Empfänger',
    export: 'Alle als CSV herunterladen',
    exported: 'Die Datei der Empfänger ist heruntergeladen.',
    import: 'Aus einer CSV-Datei hinzufügen',
    importAbout:
      'Eine CSV-Datei mit den Spalten address und currency (oder network), dazu nach Wunsch name, labels, status und reason. Gesperrte Empfänger bleiben gesperrt.',
    imported: (rows: string, changed: string) =>
      `${rows} Empfänger gelesen, ${changed} hinzugefügt oder geändert.`,
    stillDenied: (count: string) => `${count} bleiben gesperrt. Erlauben Sie diese einzeln.`,
    notImported: 'Die Datei wurde nicht übernommen.',
    notExported: 'Die Datei konnte nicht erstellt werden.',
    address: 'Adresse',
    added: 'Hinzugefügt',
    by: (name: string) => `von ${name}`,
    decided: 'Entschieden',
    reason: 'Grund',
    payments: 'Zahlungen',
    first: 'Erste Zahlung',
    last: 'Letzte Zahlung',
    never: 'nie bezahlt',
    row: (row: number) => `Zeile ${row}`,
    allow: 'Erlauben',
    allowAbout:
      'Spätere Zahlungen an diese Adresse gelten als bekannt. Eine Sperre wird aufgehoben.',
    allowed: 'Der Empfänger ist erlaubt.',
    deny: 'Sperren',
    denyAbout:
      'Kein späterer Plan kann an diese Adresse zahlen, auch nicht mit Zustimmung. Frühere Pläne ändern sich nicht.',
    denied: 'Der Empfänger ist gesperrt.',
    describe: 'Name, E-Mail und Labels',
    name: 'Name',
    nameHint: 'Leer: ohne Namen.',
    email: 'E-Mail',
    emailHint: 'Dorthin gehen Nachrichten über Zahlungen. Leer: keine Nachrichten.',
    labelsHint:
      'Wörter aus Buchstaben, Ziffern, Punkten, Strichen und Unterstrichen, mit Leerzeichen dazwischen.',
    save: 'Speichern',
    saved: 'Gespeichert.',
    notSaved: 'Das wurde nicht gespeichert.',
    back: 'Alle Empfänger',
  },
};

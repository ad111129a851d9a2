import type { ErrorTexts } from '../error-texts.ts';

const TELL = 'Dauert es an, sagen Sie es Ihrem Administrator.';
const NOT_STORED = 'Es wird nichts gesendet, was nicht vorher gespeichert ist.';
const BY_ITSELF = `Offene Stapel gehen von selbst weiter. ${TELL}`;

/** Errors of the server, of the service and of what they need. */
export const DE_SERVER_ERRORS: ErrorTexts = {
  ROLE_TOO_LOW: {
    what: (f) => `${f.name} hat die Rolle ${f.role}; hierfür ist ${f.needed} nötig.`,
    short: 'Dafür reicht Ihre Rolle nicht.',
    why: 'Jede Person tut nur, was ihre Rolle erlaubt.',
    fix: 'Ihr Administrator kann Ihre Rolle ändern.',
  },
  SESSION_UNKNOWN: {
    what: 'Sie sind nicht mehr angemeldet.',
    why: 'Eine Sitzung endet nach ihrer Zeit, beim Abmelden und wenn der Server neu startet.',
    fix: 'Melden Sie sich wieder an.',
  },
  CHALLENGE_UNKNOWN: {
    what: 'Die Anmeldung ist abgelaufen.',
    why: 'Sie hat fünf Minuten Zeit und zählt einmal.',
    fix: 'Melden Sie sich noch einmal an.',
  },
  OIDC_MISSING: {
    what: 'Hier gibt es keine Anmeldung bei einem anderen Dienst.',
    why: 'Die Einstellungen des Servers nennen keinen.',
    fix: 'Melden Sie sich mit einem Passkey an.',
  },
  ORIGIN_WRONG: {
    what: 'Die Anfrage kommt nicht von dieser App.',
    why: 'Eine Seite einer anderen Adresse darf nicht für Sie handeln.',
    fix: (f) => `Öffnen Sie die App unter ${f.origin}.`,
  },
  WEB_ORIGIN_MISSING: {
    what: 'Hier kann sich niemand anmelden.',
    why: 'Der Server kennt die Adresse dieser App nicht, zu der Passkeys gehören.',
    fix: 'Ihr Administrator muss sie einstellen und den Server neu starten.',
  },
  PATH_UNKNOWN: {
    what: 'Das gibt es auf dem Server nicht.',
    why: 'App und Server haben vielleicht verschiedene Versionen.',
    fix: `Laden Sie die Seite neu. ${TELL}`,
  },
  REQUEST_INVALID: {
    what: 'Der Server kann diese Eingabe nicht verwenden.',
    why: 'Sie hat nicht die Form, die er erwartet. Es wurde nichts getan.',
    fix: `Prüfen Sie Ihre Eingaben, oder laden Sie die Seite neu. ${TELL}`,
  },
  REQUEST_UNUSABLE: {
    what: 'Diese Eingaben passen nicht zusammen.',
    why: 'Sie widersprechen einander oder einer Regel. Es wurde nichts getan.',
    fix: 'Korrigieren Sie Ihre Eingaben.',
  },
  REQUEST_TOO_LARGE: {
    what: 'Die Eingabe ist zu groß.',
    why: 'Nur Dateien mit Zahlungen dürfen so groß sein.',
    fix: 'Senden Sie weniger auf einmal.',
  },
  REQUESTS_AT_ONCE: {
    what: 'Sie haben zu viele Anfragen gleichzeitig offen.',
    why: 'Jede offene Seite belegt den Server.',
    fix: 'Schließen Sie andere Fenster dieser App, und versuchen Sie es noch einmal.',
  },
  REQUESTS_TOO_MANY: {
    what: 'Von Ihnen kommen zu viele Anfragen.',
    why: 'Eine Grenze sorgt dafür, dass niemand die anderen ausbremst.',
    fix: (f) => `Warten Sie ${f.seconds} Sekunden.`,
  },
  SERVICE_UNREACHABLE: {
    what: 'Der Zahlungsdienst ist nicht erreichbar.',
    why: 'Es kam keine Verbindung oder rechtzeitige Antwort zustande. Dadurch wurde nichts bezahlt.',
    fix: `Versuchen Sie es noch einmal. ${TELL}`,
  },
  SERVICE_REFUSED_KEY: {
    what: 'Der Zahlungsdienst hat den Schlüssel oder die Unterschrift des Servers abgelehnt.',
    why: 'Schlüssel, Geheimnis oder Konto passen nicht zusammen.',
    fix: 'Ihr Administrator muss die Einstellungen prüfen.',
  },
  SERVICE_REFUSED: {
    what: 'Der Zahlungsdienst hat die Anfrage abgelehnt.',
    why: 'Er antwortete mit einem Fehler.',
    fix: 'Ihr Administrator kann beim Dienst nachfragen.',
  },
  SERVICE_ANSWER_UNREADABLE: {
    what: 'Die Antwort des Zahlungsdienstes ist nicht lesbar.',
    why: 'Sie wurde abgeschnitten, ist zu groß oder hat eine andere Form.',
    fix: `Versuchen Sie es noch einmal. ${TELL}`,
  },
  CLOCK_SKEW: {
    what: 'Die Uhr des Servers weicht zu weit von der des Zahlungsdienstes ab.',
    why: 'Der Dienst lehnt Anfragen ab, die mehr als 3 Minuten abweichen.',
    fix: 'Ihr Administrator muss die Uhr stellen.',
  },
  TEMPORAL_UNREACHABLE: {
    what: 'Die Steuerung der Stapel ist nicht erreichbar.',
    why: 'Ohne sie geht es nicht weiter. Es wurde nichts gesendet.',
  },
  WORKER_SILENT: {
    what: 'Kein Worker antwortet.',
    why: 'Der Stapel ist sicher und wartet auf einen Worker.',
  },
  STORE_UNREACHABLE: {
    what: 'Der Speicher ist nicht erreichbar.',
    why: NOT_STORED,
    fix: BY_ITSELF,
  },
  STORE_FULL: { what: 'Der Speicher ist voll.', why: NOT_STORED, fix: BY_ITSELF },
  STORE_BUSY: {
    what: 'Ein anderes Programm belegt den Speicher zu lange.',
    why: NOT_STORED,
    fix: BY_ITSELF,
  },
  BLOB_MISSING: {
    what: 'Der Worker findet die hochgeladene Datei nicht.',
    why: 'Server und Worker müssen denselben Ort für Dateien verwenden.',
    fix: 'Sagen Sie es Ihrem Administrator. Ging die Kopie verloren, reichen Sie dieselbe Datei unter demselben Namen ein.',
  },
  BLOB_DAMAGED: {
    what: 'Die gespeicherte Datei wurde verändert oder beschädigt.',
    why: 'Ihr Inhalt passt nicht mehr zu ihrem Hash. Es wurde nichts gesendet.',
    fix: 'Reichen Sie die ursprüngliche Datei noch einmal ein.',
  },
  INTERNAL: {
    what: 'Bursar hat einen Fehler gemacht.',
    why: 'Der Fehler liegt bei uns, nicht bei Ihnen.',
    fix: 'Sagen Sie Ihrem Administrator, was Sie getan haben.',
  },
};

import type { OtherFormat } from '../../../domain/errors/workbook-errors.ts';
import { writtenTotalsText } from '../../../domain/text/money-text.ts';
import { countText } from '../../words/amounts.ts';
import type { ErrorTexts } from '../error-texts.ts';

const SAVE_AGAIN =
  'Öffnen Sie sie in ihrem Programm, und speichern Sie sie als .xlsx oder als „CSV UTF-8“.';

type Format = Readonly<{ is: string; fix: string }>;

const FORMATS: Readonly<Record<OtherFormat, Format>> = {
  password: {
    is: 'eine Arbeitsmappe mit Kennwort',
    fix: 'Entfernen Sie das Kennwort in der Tabellenkalkulation, oder speichern Sie das Blatt als „CSV UTF-8“.',
  },
  xls: { is: 'eine alte Excel-Arbeitsmappe (.xls)', fix: SAVE_AGAIN },
  xlsb: { is: 'eine binäre Excel-Arbeitsmappe (.xlsb)', fix: SAVE_AGAIN },
  ods: { is: 'eine OpenDocument-Tabelle (.ods)', fix: SAVE_AGAIN },
  numbers: {
    is: 'ein Dokument von Apple Numbers oder Pages',
    fix: 'Exportieren Sie es in Numbers nach Excel (.xlsx) oder CSV.',
  },
  document: {
    is: 'ein Office-Dokument ohne Blätter',
    fix: 'Wählen Sie die Datei mit den Zahlungen.',
  },
  zip: {
    is: 'ein ZIP-Archiv ohne Arbeitsmappe',
    fix: 'Entpacken Sie es, und wählen Sie die Datei darin.',
  },
};

/** A later server may have a format that these texts do not have. */
const formatOf = (format: OtherFormat): Format =>
  (FORMATS as Partial<Record<string, Format>>)[format] ?? {
    is: 'eine Datei in einem anderen Format',
    fix: SAVE_AGAIN,
  };

const GUARD =
  'Die Kontrollsumme schützt vor einer Datei, die abgeschnitten oder doppelt geschrieben wurde.';

/** Why a whole file is refused. */
export const DE_FILE_ERRORS: ErrorTexts = {
  FILE_EMPTY: {
    what: (f) => `${f.file} ist leer.`,
    why: 'Es gibt weder Kopfzeile noch Zeilen.',
    fix: 'Schreiben Sie eine Kopfzeile (address,amount,currency) und mindestens eine Zeile.',
  },
  FILE_WITHOUT_ROWS: {
    what: (f) => `${f.file} hat eine Kopfzeile und keine Zeilen.`,
    why: 'Es gibt nichts zu zahlen.',
    fix: 'Fügen Sie unter der Kopfzeile mindestens eine Zeile hinzu.',
  },
  FILE_TOO_LARGE: {
    what: (f) => `${f.file} hat mehr als ${countText(f.maxBytes)} Bytes.`,
    why: 'Die Grenze verhindert, dass eine beschädigte oder bösartige Datei den Speicher füllt.',
    fix: 'Teilen Sie die Datei.',
  },
  READING_CUT_OFF: {
    what: (f) => `Das Lesen von ${f.file} brach ab.`,
    why: 'Der Speicher reichte nicht, oder Bursar hat einen Fehler. Es wurde nichts übernommen.',
    fix: 'Versuchen Sie es noch einmal. Bricht es wieder ab, sagen Sie es Ihrem Administrator.',
  },
  FILE_CHANGED: {
    what: (f) => `${f.file} wurde geändert, während sie gelesen wurde.`,
    why: 'Bezahlt würde dann etwas anderes, als geprüft wurde.',
    fix: 'Warten Sie, bis die Datei fertig geschrieben ist, und wählen Sie sie noch einmal.',
  },
  FILE_ENCODING: {
    what: (f) => `${f.file} ist kein Text in UTF-8 (vermutlich ${f.encoding}).`,
    why: 'In einer anderen Kodierung würden Buchstaben falsch gelesen.',
    fix: 'Speichern Sie die Datei als „CSV UTF-8“.',
  },
  FILE_TOO_MANY_ROWS: {
    what: (f) => `${f.file} hat mehr als ${countText(f.max)} Zeilen.`,
    why: 'Was für jede Zeile im Speicher gehalten wird, muss begrenzt bleiben.',
    fix: 'Teilen Sie die Datei.',
  },
  FILE_TOO_MANY_CHUNKS: {
    what: (f) =>
      `${f.file} ergibt ${countText(f.chunks)} Anfragen an den Dienst; ein Stapel hat höchstens ${countText(f.max)}.`,
    why: 'Mehr lassen sich in einem Stapel nicht abarbeiten.',
    fix: 'Teilen Sie die Datei. Ihr Administrator kann mehr Zeilen in eine Anfrage nehmen.',
  },
  FILE_TOO_MANY_CURRENCIES: {
    what: (f) => `${f.file} nennt mehr als ${f.max} Währungen (die nächste in Zeile ${f.line}).`,
    why: 'Bei so vielen ist wohl eine andere Spalte als Währung gelesen worden.',
    fix: 'Prüfen Sie die Kopfzeile und die Spalte currency; stimmt sie, teilen Sie die Datei.',
  },
  FILE_COMPRESSION: {
    what: (f) => `${f.file} lässt sich nicht entpacken.`,
    why: 'Das Archiv ist beschädigt, oder es wird entpackt viel größer, als es sein sollte.',
    fix: 'Packen Sie die Datei neu mit gzip, oder wählen Sie die einfache .csv.',
  },
  HEADER_MISSING_COLUMN: {
    what: (f) => `${f.file} hat keine Spalte „${f.column}“ (ihre Kopfzeile: ${f.found}).`,
    why: (f) =>
      f.column === 'currency'
        ? 'Keine Spalte sagt, in welcher Währung zu zahlen ist.'
        : 'Die Spalten address und amount sind nötig; die Kopfzeile ist die erste Zeile.',
    fix: (f) =>
      f.column === 'currency'
        ? 'Fügen Sie eine Spalte currency hinzu.'
        : 'Nennen Sie die Spalten address, amount, currency, comment, reference, name; die Reihenfolge ist frei.',
  },
  HEADER_UNKNOWN_COLUMN: {
    what: (f) => `Bursar verwendet diese Spalten von ${f.file} nicht: ${f.columns}.`,
    why: 'Eine stillschweigend ausgelassene Spalte könnte die wichtige sein.',
    fix: 'Benennen Sie die Spalten in der Datei um, oder beantworten Sie die Frage auf dieser Seite. Bekannt sind address, amount, currency, comment, reference und name.',
  },
  HEADER_COLUMN_ABSENT: {
    what: (f) => `${f.file} hat keine Spalte „${f.column}“.`,
    why: (f) => `Ihre Kopfzeile ist: ${f.found}.`,
    fix: 'Wählen Sie die Datei noch einmal, und geben Sie an, was in ihren Spalten steht.',
  },
  HEADER_DUPLICATE_COLUMN: {
    what: (f) => `${f.file} hat die Spalte „${f.column}“ zweimal.`,
    why: 'Es ist nicht klar, welche der beiden gilt.',
    fix: 'Behalten Sie eine davon.',
  },
  DELIMITER_UNKNOWN: {
    what: (f) => `Die Spalten von ${f.file} sind nicht zu erkennen (erste Zeile: ${f.found}).`,
    why: 'Komma, Semikolon und Tabulator werden verstanden; die Kopfzeile entscheidet.',
    fix: 'Speichern Sie die Datei als CSV mit einer Kopfzeile.',
  },
  QUOTE_UNCLOSED: {
    what: (f) =>
      `Ein Anführungszeichen, das in Zeile ${f.line} von ${f.file} beginnt, wird nicht geschlossen.`,
    why: 'Alles danach würde als eine einzige Zelle gelesen.',
    fix: 'Schließen Sie es, oder verdoppeln Sie es (""), wenn es zum Text gehört.',
  },
  QUOTE_MALFORMED: {
    what: (f) => `In Zeile ${f.line} von ${f.file} steht ein Anführungszeichen an falscher Stelle.`,
    why: 'Es ist nicht klar, wo die Zelle anfängt oder endet.',
    fix: 'Eine Zelle in Anführungszeichen beginnt und endet mit einem, direkt am Trennzeichen; solche im Text werden verdoppelt ("").',
  },
  QUOTE_OVER_ROWS: {
    what: (f) =>
      `Ein Anführungszeichen, das in Zeile ${f.line} von ${f.file} beginnt, endet erst in Zeile ${f.lastLine}, die wie eine eigene Zeile aussieht.`,
    why: 'Die Zeilen dazwischen würden als eine Zelle gelesen, und niemand darin würde bezahlt.',
    fix: (f) =>
      `Schließen Sie das Anführungszeichen in Zeile ${f.line}. Ist der Text gemeint, entfernen Sie die Trennzeichen aus seiner letzten Zeile.`,
  },
  LINE_BREAK_BARE: {
    what: (f) => `Zeile ${f.line} von ${f.file} endet mit einem einzelnen Wagenrücklauf (CR).`,
    why: 'Programme sind sich nicht einig, ob damit eine Zeile endet; zwei Zeilen könnten als eine gelesen werden.',
    fix: 'Speichern Sie die Datei mit Zeilenenden LF oder CRLF.',
  },
  ROW_TOO_LONG: {
    what: (f) =>
      `Die Zeile ${f.line} von ${f.file} ist länger als ${countText(f.maxChars)} Zeichen.`,
    why: 'Eine so lange Zeile ist ein Schaden oder ein nicht geschlossenes Anführungszeichen.',
    fix: 'Suchen Sie in oder vor dieser Zeile nach einem fehlenden Anführungszeichen.',
  },
  FILE_ROWS_REFUSED: {
    what: (f) =>
      `${countText(f.refused)} von ${countText(f.rows)} Zeilen von ${f.file} ${f.refused === 1 ? 'ist' : 'sind'} falsch.`,
    short: 'Zeilen der Datei sind falsch.',
    why: 'Solange eine Zeile falsch ist, wird nichts gesendet.',
  },
  CONTROL_TOTAL_COUNT: {
    what: (f) => `Die Datei hat ${f.found} Zeilen; die Kontrollsumme nennt ${f.expected}.`,
    short: 'Die Zahl der Zeilen stimmt nicht mit der Kontrollsumme überein.',
    why: GUARD,
    fix: 'Prüfen Sie die Datei, oder korrigieren Sie die Kontrollsumme.',
  },
  CONTROL_TOTAL_AMOUNT: {
    what: (f) =>
      `Die Beträge der Datei ergeben ${writtenTotalsText(f.found)}; die Kontrollsumme nennt ${writtenTotalsText(f.expected)}.`,
    short: 'Die Summe der Beträge stimmt nicht mit der Kontrollsumme überein.',
    why: GUARD,
    fix: 'Korrigieren Sie zuerst falsche Zeilen: sie zählen nicht mit. Prüfen Sie dann die Datei und die Kontrollsumme.',
  },
  CONTROL_LINE_UNREADABLE: {
    what: (f) => `Zeile ${f.line} von ${f.file} beginnt mit # und ist keine Kontrollzeile.`,
    why: 'Eine Zeile mit # vor der Kopfzeile nennt die Kontrollsummen. Eine unverstandene könnte die wichtige sein.',
    fix: 'Schreiben Sie sie als „# rows=1000 total=1500.75:USDT_TRC20“, mit einer Summe je Währung, oder entfernen Sie sie.',
  },
  FINDINGS_NOT_ACCEPTED: {
    what: 'Die Datei hat Warnungen, die niemand bestätigt hat.',
    why: 'Oft sind es Fehler, und Geld, das weg ist, kommt nicht zurück.',
  },
  FINDINGS_BLOCK: {
    what: 'Die Datei hat Warnungen, die die Zahlung verhindern.',
    why: 'Die Regeln erlauben nicht, sie zu bestätigen.',
  },
  FILE_FORMAT: {
    what: (f) => `${f.file} ist ${formatOf(f.format).is}.`,
    why: 'Bursar liest Arbeitsmappen im Format .xlsx, und CSV.',
    fix: (f) => formatOf(f.format).fix,
  },
  WORKBOOK_UNREADABLE: {
    what: (f) => `Die Arbeitsmappe ${f.file} lässt sich nicht lesen.`,
    why: 'Sie ist beschädigt oder wurde unterwegs abgeschnitten.',
    fix: 'Öffnen Sie sie in einer Tabellenkalkulation, und speichern Sie sie neu als .xlsx oder das Blatt als „CSV UTF-8“.',
  },
  WORKBOOK_TOO_LARGE: {
    what: (f) => `Die Arbeitsmappe ${f.file} ist zu groß.`,
    why: 'Die Grenze verhindert, dass eine beschädigte oder bösartige Arbeitsmappe den Speicher füllt.',
    fix: 'Speichern Sie das Blatt als „CSV UTF-8“; das hat keine solche Grenze. Oder teilen Sie es.',
  },
  SHEET_NOT_CHOSEN: {
    what: (f) => `Die Arbeitsmappe ${f.file} hat mehrere Blätter mit Werten: ${f.sheets}.`,
    why: 'Es ist nicht klar, welches bezahlt werden soll.',
  },
  SHEET_NOT_FOUND: {
    what: (f) => `Die Arbeitsmappe ${f.file} hat kein Blatt „${f.sheet}“.`,
    why: (f) => `Ihre Blätter sind: ${f.sheets}.`,
  },
  SHEET_OF_NO_WORKBOOK: {
    what: (f) => `${f.file} ist keine Arbeitsmappe und hat kein Blatt „${f.sheet}“.`,
    why: 'Nur eine Arbeitsmappe (.xlsx) hat Blätter.',
  },
  SHEET_CELLS_MERGED: {
    what: (f) => `${f.file} hat verbundene Zellen: ${f.range}.`,
    why: 'Nur die erste davon hat einen Wert; was für die anderen gilt, ist nicht klar.',
    fix: 'Heben Sie die Verbindung auf, und füllen Sie jede Zelle.',
  },
  PAYEES_FILE_INVALID: {
    what: (f) => `${f.file} hat Fehler, der erste in Zeile ${f.line}.`,
    why: 'Eine Datei mit Empfängern wird ganz übernommen oder gar nicht; es wurde nichts geändert.',
    fix: 'Korrigieren Sie die Zeilen. Spalten: address, currency (oder network), name, labels, status (ALLOWED oder DENIED), reason.',
  },
};

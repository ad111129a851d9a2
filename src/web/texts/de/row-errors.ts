import type { ROW_ERRORS } from '../../../domain/errors/row-errors.ts';
import { type CharacterKind, characterOf } from '../../../domain/errors/odd-characters.ts';
import type { UncertainKind } from '../../../domain/errors/uncertain-cells.ts';
import { type AmountShape, amountShapeOf } from '../../../domain/rows/amount-shape.ts';
import { hasDecimalComma, withPoint } from '../../../domain/rows/decimal-comma.ts';
import { countText } from '../../words/amounts.ts';
import type { ErrorTexts } from '../error-texts.ts';
import { addressFault } from './address-faults.ts';

const NOT_DECIMAL: Readonly<Record<AmountShape, string>> = {
  empty: 'Die Zelle ist leer.',
  scientific:
    'Die Tabellenkalkulation hat ihn in Exponentialschreibweise gespeichert; dabei können Ziffern verloren gehen.',
  comma:
    'Ein Komma trennt in manchen Ländern die Nachkommastellen und in anderen die Tausender, daher wird nicht geraten.',
  thousands: 'Trennzeichen zwischen Tausendern werden nicht stillschweigend entfernt.',
  apostrophe:
    'Mit einem Apostroph kennzeichnet die Tabellenkalkulation Text; er gehört nicht zum Wert.',
  hashes: 'Die Tabellenkalkulation hat Rautezeichen angezeigt, weil die Spalte zu schmal war.',
  formula: 'Es ist der Fehler einer Formel.',
  date: 'Die Tabellenkalkulation hat ein Datum daraus gemacht.',
  noZero: 'Vor dem Punkt fehlt die Null.',
  noDecimals: 'Nach dem Punkt steht nichts; vielleicht sind Ziffern verloren gegangen.',
  currency: 'Die Währung steht in einer eigenen Spalte.',
  sign: 'Ein Betrag hat kein Vorzeichen.',
  zeros: 'Führende Nullen werden nicht gelesen: vielleicht war etwas anderes gemeint.',
  other:
    'Beträge werden genau so bezahlt, wie sie dastehen, daher werden nur Ziffern und ein Dezimalpunkt gelesen.',
};

const howToWrite = (text: string): string => {
  if (text === '')
    return 'Tragen Sie den Betrag ein, zum Beispiel 1000.5, oder entfernen Sie die Zeile.';
  return hasDecimalComma(text)
    ? `Haben alle Beträge ein Dezimalkomma, wählen Sie das auf dieser Seite: dieser Betrag wird dann zu ${withPoint(text)}. Sonst schreiben Sie einen Dezimalpunkt, zum Beispiel 1000.5.`
    : 'Schreiben Sie Ziffern mit höchstens einem Dezimalpunkt, zum Beispiel 1000.5. In einer Tabellenkalkulation formatieren Sie die Spalte als Text.';
};

const CHARACTERS: Readonly<Record<CharacterKind, string>> = {
  blank: 'Beim Kopieren oder Umbrechen kam ein Leerzeichen, Tabulator oder Zeilenumbruch hinein.',
  space:
    'Es ist ein besonderes Leerzeichen aus einer Webseite, einem PDF oder einer Tabellenkalkulation: man sieht es nicht, aber es zählt.',
  direction: 'Es dreht die Schreibrichtung um, sodass Zeichen in anderer Reihenfolge erscheinen.',
  invisible:
    'Es ist unsichtbar und kommt mit, wenn Text aus einer Webseite oder einem Chat kopiert wird.',
  dots: 'Die Punkte stehen für Zeichen, die jemand ausgelassen hat.',
  lost: 'Es steht für ein Zeichen, das beim Umwandeln einer Datei verloren ging.',
  digit: 'Es ist eine Ziffer einer anderen Schrift.',
  dash: 'Es ist ein Gedankenstrich, den eine Textverarbeitung statt des Bindestrichs gesetzt hat.',
  quote: 'Es ist ein typografisches Anführungszeichen aus einer Textverarbeitung.',
  other: 'Durch solche Zeichen unterscheiden sich Werte, die gleich aussehen.',
};

const whatCharacter = (code: string): string => {
  const { kind, twin } = characterOf(code);
  return twin === undefined
    ? CHARACTERS[kind]
    : `Es sieht aus wie „${twin}“, ist aber ein anderes Zeichen.`;
};

const AS_TEXT = 'Formatieren Sie die Spalte als Text, und geben Sie den Wert neu ein.';

type Uncertainty = Readonly<{ is: string; why: string; fix: string }>;

const UNCERTAIN: Readonly<Record<UncertainKind, Uncertainty>> = {
  formula: {
    is: 'eine Formel',
    why: 'Ihr Ergebnis hängt von anderen Zellen ab; der Wert selbst steht nicht in der Datei.',
    fix: 'Kopieren Sie die Spalte, und fügen Sie sie als Werte ein.',
  },
  date: {
    is: 'ein Datum',
    why: 'Ein Datum ist als Anzahl von Tagen gespeichert, und das ist nicht das, was man sieht.',
    fix: AS_TEXT,
  },
  boolean: { is: 'WAHR oder FALSCH', why: 'Eine Zahlung hat keinen solchen Wert.', fix: AS_TEXT },
  error: {
    is: 'den Fehler einer Formel',
    why: 'Die Tabellenkalkulation konnte den Wert nicht berechnen.',
    fix: 'Korrigieren Sie die Formel, kopieren Sie dann die Spalte, und fügen Sie sie als Werte ein.',
  },
  exponent: {
    is: 'eine Zahl in Exponentialschreibweise',
    why: 'Bei einer solchen Zahl können Ziffern verloren gegangen sein.',
    fix: 'Formatieren Sie die Spalte als Text, und schreiben Sie die Zahl aus.',
  },
  format: {
    is: 'eine Zahl, deren Format eine andere Zahl zeigt',
    why: 'Ein Prozentwert oder eine Zahl in Tausend ist nicht das, was das Blatt zeigt.',
    fix: 'Formatieren Sie die Spalte als Text, und geben Sie den Betrag ein, der bezahlt werden soll.',
  },
  digits: {
    is: 'eine Zahl mit mehr als 15 Ziffern',
    why: 'Eine Tabellenkalkulation behält 15 Ziffern einer Zahl; weitere können verloren sein.',
    fix: AS_TEXT,
  },
  noise: {
    is: 'das ungenaue Ergebnis einer Rechnung',
    why: 'Beträge werden nie gerundet: ein gerundeter Betrag wäre ein falscher Betrag.',
    fix: 'Runden Sie in der Tabellenkalkulation, formatieren Sie die Spalte als Text, und geben Sie die Zahl ein.',
  },
};

/** A later server may have a kind that these texts do not have. */
const uncertainty = (kind: UncertainKind): Uncertainty =>
  (UNCERTAIN as Partial<Record<string, Uncertainty>>)[kind] ?? {
    is: 'einen unsicheren Wert',
    why: 'Gelesen werden nur Text und einfache Zahlen.',
    fix: AS_TEXT,
  };

/** The columns of a file keep their names: the file has them so. */
export const DE_ROW_ERRORS: Required<{
  readonly [Code in keyof typeof ROW_ERRORS]: NonNullable<ErrorTexts[Code]>;
}> = {
  AMOUNT_NOT_DECIMAL: {
    what: (f) =>
      f.text === ''
        ? 'Der Betrag fehlt.'
        : `Der Betrag „${f.text}“ ist keine einfache Dezimalzahl.`,
    why: (f) => NOT_DECIMAL[amountShapeOf(f.text)],
    fix: (f) => howToWrite(f.text),
  },
  AMOUNT_HAS_POINT: {
    what: (f) =>
      `Der Betrag „${f.text}“ hat einen Punkt, und für die Nachkommastellen wurde das Komma gewählt.`,
    why: 'In einer solchen Datei trennt ein Punkt Tausender, und Trennzeichen werden nicht stillschweigend entfernt.',
    fix: 'Schreiben Sie Ziffern mit höchstens einem Dezimalkomma, zum Beispiel 1000,5.',
  },
  AMOUNT_NOT_POSITIVE: {
    what: (f) => `Der Betrag „${f.text}“ ist nicht größer als null.`,
    why: 'Eine Zahlung über nichts lässt sich nicht senden.',
    fix: 'Geben Sie einen Betrag über null an, oder entfernen Sie die Zeile.',
  },
  AMOUNT_TOO_PRECISE: {
    what: (f) =>
      `Der Betrag „${f.text}“ hat mehr als ${f.decimals} Nachkommastellen; mehr hat ${f.currency} nicht.`,
    why: 'Beträge werden nie gerundet: ein gerundeter Betrag wäre ein falscher Betrag.',
    fix: (f) => `Geben Sie höchstens ${f.decimals} Ziffern nach dem Punkt an.`,
  },
  CURRENCY_MISSING: {
    what: 'Die Zeile nennt keine Währung.',
    why: 'Weder die Spalte currency noch eine Wahl auf dieser Seite sagt, welche Währung zu zahlen ist.',
  },
  CURRENCY_MALFORMED: {
    what: (f) => `„${f.text}“ ist keine Währung.`,
    why: 'Eine Währung ist ein Kürzel wie BTC, oder Kürzel und Netzwerk wie USDT_TRC20, in Großbuchstaben und Ziffern.',
    fix: 'Schreiben Sie die Währung so, wie der Dienst sie nennt.',
  },
  ADDRESS_MISSING: {
    what: 'Die Zeile hat keine Adresse.',
    why: 'Eine Zahlung braucht ein Ziel.',
    fix: 'Tragen Sie die Adresse ein, oder entfernen Sie die Zeile.',
  },
  ADDRESS_INVALID: {
    what: (f) => `„${f.text}“ ist keine Adresse für ${f.network}${addressFault(f.reason)}.`,
    why: 'Geld an eine falsche Adresse lässt sich nicht zurückholen.',
    fix: 'Kopieren Sie die Adresse neu von ihrem Besitzer; eine Tabellenkalkulation kann sie gekürzt oder verändert haben.',
  },
  CHARACTER_FORBIDDEN: {
    what: (f) =>
      `In der Spalte ${f.column} steht an Stelle ${f.position} das Zeichen ${f.codePoint}, das unsichtbar ist oder dort nicht erwartet wird.`,
    why: (f) => whatCharacter(f.codePoint),
    fix: 'Geben Sie den Wert neu ein, oder kopieren Sie ihn als reinen Text.',
  },
  FIELD_COUNT_WRONG: {
    what: (f) =>
      `Die Zeile hat ${f.found === 1 ? 'ein Feld' : `${countText(f.found)} Felder`}; die Kopfzeile hat ${f.expected}.`,
    why: 'Mit einem Feld zu viel oder zu wenig könnten Werte in die falsche Spalte rutschen.',
    fix: 'Setzen Sie Werte mit Trennzeichen in Anführungszeichen, und ergänzen oder entfernen Sie Felder.',
  },
  CELL_TOO_LONG: {
    what: (f) =>
      `Die Spalte ${f.column} hat hier ${countText(f.length)} Zeichen; erlaubt sind ${countText(f.max)}.`,
    why: 'Eine so lange Zelle ist ein Schaden oder ein Angriff, aber keine Zahlung.',
    fix: 'Kürzen Sie den Wert.',
  },
  TAG_UNSUPPORTED: {
    what: (f) => `Die Zeile hat „${f.text}“ in der Spalte „${f.name}“.`,
    why: 'Der Dienst hat kein Feld für ein Tag oder Memo. Ohne es ist Geld an eine Börse verloren.',
    fix: 'Bitten Sie den Empfänger um eine Adresse, die keines braucht. Ist der Text ein Kommentar, nennen Sie die Spalte comment.',
  },
  COLUMN_UNNAMED: {
    what: (f) => `Die Zeile hat „${f.text}“ in einer Spalte ohne Namen.`,
    why: 'Es ist nicht klar, was der Wert bedeutet.',
    fix: 'Geben Sie der Spalte in der Kopfzeile einen Namen, oder entfernen Sie den Wert.',
  },
  SHEET_CELL_UNCERTAIN: {
    what: (f) =>
      `${f.cell} enthält ${uncertainty(f.kind).is}${f.stored === '' ? '' : ` (${f.stored})`}.`,
    why: (f) => uncertainty(f.kind).why,
    fix: (f) => uncertainty(f.kind).fix,
  },
  SHEET_ROW_HIDDEN: {
    what: (f) => `Zeile ${f.row} von ${f.sheet} ist ausgeblendet.`,
    why: 'Wer das Blatt ansieht, sieht diese Zahlung nicht.',
    fix: 'Heben Sie den Filter auf und blenden Sie die Zeile ein, oder löschen Sie sie.',
  },
  REFERENCE_DUPLICATE: {
    what: (f) => `Die Referenz „${f.reference}“ steht schon in Zeile ${f.firstRow}.`,
    why: 'Über die Referenz finden Sie eine Zeile wieder, daher darf sie nur einmal in der Datei stehen.',
    fix: 'Ist es dieselbe Zahlung, löschen Sie eine der Zeilen. Sonst geben Sie jeder Zeile ihre eigene Referenz, oder lassen Sie die Zelle leer.',
  },
  FORMULA_IN_CELL: {
    what: (f) => `Der Wert „${f.text}“ in der Spalte ${f.column} beginnt wie eine Formel.`,
    why: 'Eine Tabellenkalkulation würde sie ausführen, wenn jemand einen Bericht öffnet.',
    fix: 'Entfernen Sie das führende = + - @ oder Steuerzeichen.',
  },
};

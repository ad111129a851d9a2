import { moneyText } from '../../../domain/text/money-text.ts';
import { sentenceOf } from '../../../domain/text/sentence.ts';
import { countText } from '../../words/amounts.ts';
import type { ErrorTexts } from '../error-texts.ts';

const NOTHING_CHANGED = 'Es wurde nichts geändert.';
const NOT_MEANT =
  'Unter einem Namen steht für immer eine Datei, damit nichts zweimal bezahlt wird.';

/** What stops a batch, or an act of a person about one. */
export const DE_BATCH_ERRORS: ErrorTexts = {
  BATCH_NOT_FOUND: {
    what: (f) => `Es gibt keinen Stapel ${f.batchId}.`,
    short: 'Diesen Stapel gibt es nicht.',
    why: 'Vielleicht ist der Name vertippt, oder kein Worker hat den Stapel bisher übernommen.',
  },
  BATCH_PRUNED: {
    what: 'Die Zeilen dieses Stapels wurden nach ihrer Zeit entfernt.',
    why: 'Summen, Ergebnisse und der Nachweis der Zahlung sind noch gespeichert.',
  },
  BATCH_ID_INVALID: {
    what: (f) => `„${f.batchId}“ kann kein Name eines Stapels sein.`,
    short: 'Das kann kein Name eines Stapels sein.',
    why: 'Ein Name hat 1 bis 64 Buchstaben, Ziffern, Punkte, Striche oder Unterstriche; am Anfang steht ein Buchstabe oder eine Ziffer.',
  },
  BATCH_ID_TAKEN: {
    what: (f) => `Der Name ${f.batchId} gehört zu einem Stapel mit anderem Inhalt.`,
    short: 'Dieser Name gehört zu einem Stapel mit anderem Inhalt.',
    why: NOT_MEANT,
  },
  SAME_FILE_AGAIN: {
    what: (f) => `Die Zeilen des Stapels ${f.batchId} wurden schon als ${f.earlier} eingereicht.`,
    short: 'Dieselben Zeilen wurden schon als anderer Stapel eingereicht.',
    why: 'Wer eine Datei unter zwei Namen zahlt, zahlt alle zweimal.',
  },
  AT_IN_PAST: {
    what: 'Der Zahlungstermin liegt in der Vergangenheit.',
    why: 'Das ist öfter ein Versehen als gewollt.',
    fix: 'Wählen Sie einen späteren Termin, oder keinen, um sofort zu zahlen.',
  },
  TIME_UNREADABLE: {
    what: (f) => `„${f.text}“ ist kein Zeitpunkt.`,
    short: 'Das ist kein Zeitpunkt.',
    why: 'Eine Zeit ohne Zeitzone bedeutet für verschiedene Menschen Verschiedenes.',
    fix: 'Wählen Sie den Zahlungstermin noch einmal.',
  },
  AT_AND_EXECUTION_DATE: {
    what: 'Es wurden zwei Zahlungstermine gewählt.',
    why: 'Entweder hält Bursar den Stapel bis zu seiner Zeit zurück, oder der Dienst tut es.',
  },
  CONFIRMATION_WRONG: {
    what: (f) => `Der Betrag stimmt nicht: „${f.given}“ ist nicht „${f.expected}“.`,
    short: 'Der Betrag stimmt nicht.',
    why: 'Sie geben ihn ein, damit keine Datei ungelesen bezahlt wird.',
  },
  CONFIRMATION_MISSING: {
    what: 'Die Zahlung wurde nicht bestätigt.',
    why: 'Die Summen wurden nicht eingegeben.',
  },
  PLAN_CHANGED: {
    what: 'Bezahlt würde jetzt etwas anderes als der Plan, den Sie gesehen haben.',
    why: 'Ein Plan wird so ausgeführt, wie er gesehen und freigegeben wurde, oder gar nicht. Es wurde nichts gesendet.',
  },
  BATCH_HAS_OTHER_PLAN: {
    what: (f) => `Der Stapel ${f.batchId} wurde mit einem anderen Plan begonnen.`,
    short: 'Dieser Stapel wurde mit einem anderen Plan begonnen.',
    why: 'Unter einem Namen steht ein Stapel, mit den Angaben, mit denen er begonnen wurde.',
  },
  FUNDS_TOO_LOW: {
    what: (f) =>
      `Der Stapel braucht mit Gebühren ${moneyText(f.needed, f.currency)}; das Konto hat ${moneyText(f.available, f.currency)}. Es fehlen ${moneyText(f.short, f.currency)}.`,
    short: 'Das Guthaben des Kontos reicht für diesen Stapel nicht.',
    why: 'Ein Stapel beginnt nicht, wenn er nicht zu Ende bezahlt werden kann; das Geld bekommt, wer zuerst gefragt hat.',
  },
  BALANCE_DIFFERS: {
    what: 'Vom Konto ging Geld ab, das kein Stapel erklärt.',
    why: 'Ein Dienst, der zweimal zahlt, ein fremdes Programm und eine späte Buchung sehen im Guthaben gleich aus.',
  },
  DAY_LIMIT_PASSED: {
    what: (f) =>
      `Mit diesem Stapel würden am ${f.day} (UTC) ${moneyText(f.total, f.currency)} bezahlt; das Tageslimit ist ${moneyText(f.limit, f.currency)}.`,
    short: 'Mit diesem Stapel wäre das Tageslimit überschritten.',
    why: 'Das Tageslimit begrenzt, was ein Versehen oder ein Fremder an einem Tag zahlen kann.',
  },
  BATCH_ENDED: {
    what: (f) => `Der Stapel ${f.batchId} ist schon zu Ende.`,
    short: 'Der Stapel ist schon zu Ende.',
    why: 'Was zu Ende ist, lässt sich nicht mehr ändern.',
  },
  BATCH_OPEN: {
    what: (f) => `Der Stapel ${f.batchId} ist noch nicht zu Ende.`,
    short: 'Der Stapel ist noch nicht zu Ende.',
    why: 'Was aus seinen Zeilen wird, steht erst mit seinem Bericht fest.',
  },
  BATCH_STOPPED: {
    what: 'Von diesem Stapel wird nichts mehr gesendet.',
    why: 'Was abgebrochen wurde, geht nie weiter. Was vorher gesendet wurde, steht im Bericht.',
  },
  ALREADY_PAUSED: {
    what: (f) => `Der Stapel ist schon angehalten, von ${f.by}.`,
    short: 'Der Stapel ist schon angehalten.',
    why: NOTHING_CHANGED,
  },
  NOTHING_TO_PAUSE: {
    what: 'Von diesem Stapel ist schon alles gesendet.',
    why: 'Anhalten lässt sich nur, was noch nicht gesendet ist.',
  },
  NOT_HELD: {
    what: 'Der Stapel ist nicht gestoppt, also gibt es nichts fortzusetzen.',
    why: `Vielleicht hat ihn jemand anderes fortgesetzt. ${NOTHING_CHANGED}`,
  },
  HOLD_NOT_OPEN: {
    what: 'Der Stapel ist jetzt aus einem anderen Grund gestoppt.',
    why: `Niemand setzt einen Stapel fort, ohne den Grund gelesen zu haben. ${NOTHING_CHANGED}`,
  },
  HOLD_UNCLEAR: {
    what: 'Der Stapel ist aus mehreren Gründen gestoppt.',
    why: `Es ist nicht klar, welcher gemeint ist. ${NOTHING_CHANGED}`,
  },
  HOLD_NEEDS_APPROVAL: {
    what: 'Der Stapel ist gestoppt und geht nur mit Freigaben weiter.',
    why: 'Die Regeln fragen dieselben Personen, die den Plan freigegeben haben.',
  },
  RESUME_BEFORE_PLAN: {
    what: 'Der Stapel hat noch keinen Plan, also lässt er sich noch nicht fortsetzen.',
    why: 'Freigaben sind nötig, und eine Freigabe nennt den Plan.',
  },
  NOT_DUE: {
    what: 'Der Zahlungstermin des Stapels ist noch nicht erreicht.',
    why: 'Der Plan nennt diesen Termin, und so wurde er freigegeben.',
    fix: 'Warten Sie darauf. Ist er schon vorbei, muss Ihr Administrator die Uhr des Workers stellen.',
  },
  CANCELED_BY_PERSON: {
    what: (f) => `Der Stapel wurde von ${f.by} abgebrochen: ${sentenceOf(f.reason)}`,
    short: 'Der Stapel wurde abgebrochen.',
    why: 'Vorher gesendete Zahlungen laufen zu Ende und stehen im Bericht; der Rest wurde nicht gesendet.',
    fix: 'Sollen die Zeilen doch bezahlt werden, zahlen Sie sie auf der Seite des Stapels noch einmal.',
  },
  CHUNK_NOT_WAITING: {
    what: 'Diese Anfrage wartet auf keine Antwort.',
    why: 'Beantwortet wird nur eine Anfrage mit unklarem Ergebnis.',
  },
  ANSWER_IMPOSSIBLE: {
    what: 'Diese Antwort ist nicht möglich: der Dienst hat unter diesem Schlüssel eine Auszahlung.',
    why: 'Sie weicht von der Anfrage ab. Eine neue Anfrage würde wieder auf sie treffen.',
  },
  CHUNK_SENT_SINCE: {
    what: (f) =>
      `Für diese Anfrage gab es inzwischen ${f.attempts} Versuche; Ihre Antwort gilt für ${f.meant}.`,
    short: 'Für diese Anfrage gab es inzwischen weitere Versuche.',
    why: 'Wer vor dem letzten Versuch nachgesehen hat, sah dessen Zahlung nicht.',
  },
  ADOPT_DIFFERS: {
    what: (f) => `Die Auszahlung ${f.massPayoutId} gehört nicht zu dieser Anfrage.`,
    short: 'Diese Auszahlung gehört nicht zu dieser Anfrage.',
    why: 'Zeilen würden als bezahlt gelten, die eine andere Auszahlung bezahlt hat.',
  },
  ROW_NOT_FOUND: {
    what: (f) => `Der Stapel hat keine Zeile ${f.row}.`,
    short: 'Der Stapel hat diese Zeile nicht.',
    why: 'Eine Zeile heißt nach ihrer Nummer in der Datei.',
  },
  WORD_NOT_FOUND: {
    what: 'Keine Zahlung wurde gefunden.',
    why: 'Gesucht wird nur in Stapeln dieses Kontos.',
  },
  RESEND_EXISTS: {
    what: (f) => `Die Zeilen des Stapels ${f.batchId} zahlt schon ${f.child}.`,
    short: 'Die fehlgeschlagenen Zeilen dieses Stapels zahlt schon ein anderer.',
    why: 'Zwei solche Stapel würden Zeilen zweimal zahlen.',
  },
  RESEND_REJECTED: {
    what: (f) =>
      `Der Stapel ${f.batchId} wurde abgelehnt, also gibt es nichts noch einmal zu zahlen.`,
    short: 'Der Stapel wurde abgelehnt, also gibt es nichts noch einmal zu zahlen.',
    why: 'Keine seiner Zeilen sollte je bezahlt werden.',
  },
  RESEND_NOTHING: {
    what: (f) =>
      f.unclear === 0
        ? 'Keine Zeile dieses Stapels ist nachweislich unbezahlt.'
        : `Keine Zeile dieses Stapels ist nachweislich unbezahlt; bei ${countText(f.unclear)} ist es unklar.`,
    short: 'Keine Zeile dieses Stapels ist nachweislich unbezahlt.',
    why: 'Noch einmal bezahlt wird nur, was der Dienst als fehlgeschlagen meldet oder was nie gesendet wurde.',
  },
  RESEND_UNSTATED: {
    what: 'Es wurde nicht bestätigt, dass diese Zeilen nirgends sonst bezahlt wurden.',
    why: 'Fehlgeschlagenes lässt sich auch beim Dienst noch einmal senden. Zweimal getan, wird zweimal bezahlt.',
  },
  RESEND_CHANGED: {
    what: 'Noch einmal bezahlt würde jetzt etwas anderes als das, was Sie gesehen haben.',
    why: 'Es wird bezahlt, was gesehen wurde, oder gar nichts. Es wurde nichts gesendet.',
  },
  RESEND_OUTDATED: {
    what: (f) =>
      `Zeilen, die nicht mehr nachweislich unbezahlt sind: ${countText(f.count)} (${f.rows}).`,
    short: 'Zeilen sind nicht mehr nachweislich unbezahlt.',
    why: 'Sie wurden vor dem Senden noch einmal gelesen. Vielleicht hat sie jemand beim Dienst noch einmal gesendet.',
  },
  RESEND_UNREAD: {
    what: 'Der Dienst antwortet nicht, ob die Zeilen noch unbezahlt sind.',
    why: 'Sie werden vor dem Senden noch einmal gelesen; ohne Antwort wird nichts gesendet.',
    fix: 'Versuchen Sie es noch einmal, wenn der Dienst antwortet.',
  },
  RESEND_OTHER_ACCOUNT: {
    what: (f) => `Der Stapel wurde vom Konto ${f.account} bezahlt; eingestellt ist ${f.ours}.`,
    short: 'Der Stapel wurde von einem anderen Konto bezahlt.',
    why: 'Seine Zeilen lassen sich nur von dem Konto aus noch einmal zahlen, auf dem sie fehlschlugen.',
    fix: 'Ihr Administrator kann dieses Konto einstellen.',
  },
  REPORT_GONE: {
    what: 'Der Bericht ist nicht an seinem Platz.',
    why: 'Der Stapel ist zu Ende und hatte einen Bericht.',
  },
  REPORT_MISSING: {
    what: (f) => `${f.file} fehlt im Bericht des Stapels ${f.batchId}.`,
    short: 'Eine Datei des Berichts fehlt.',
    why: 'Sie wurde entfernt, oder das Programm brach ab, bevor sie veröffentlicht war.',
  },
  REPORT_DAMAGED: {
    what: (f) => `${f.file} im Bericht des Stapels ${f.batchId} wurde verändert.`,
    short: 'Eine Datei des Berichts wurde verändert.',
    why: 'Das Protokoll enthält den Hash jeder Datei eines Berichts.',
  },
  REPORT_FILE_CHANGED: {
    what: (f) => `${f.file} wurde verändert.`,
    short: 'Eine Datei des Berichts wurde verändert.',
    why: 'Das Protokoll enthält den Hash jeder Datei eines Berichts.',
  },
  REPORT_FILE_GONE: {
    what: (f) => `${f.file} fehlt.`,
    short: 'Eine Datei des Berichts fehlt.',
    why: 'Nach dem Protokoll wurde sie mit dem Bericht geschrieben.',
  },
  PAYEE_NOT_FOUND: {
    what: (f) => `Das Verzeichnis der Empfänger hat ${f.address} nicht.`,
    short: 'Das Verzeichnis der Empfänger hat diese Adresse nicht.',
    why: 'Namen und Labels bekommen nur Empfänger des Verzeichnisses, damit eine vertippte Adresse keinen neuen anlegt.',
    fix: 'Erlauben Sie die Adresse zuerst, oder nehmen Sie sie mit einer Datei auf.',
  },
  SCHEDULE_NOT_FOUND: {
    what: (f) => `Es gibt keinen Zeitplan ${f.scheduleId}.`,
    short: 'Diesen Zeitplan gibt es nicht.',
    why: 'Es wurde keiner mit diesem Namen angelegt.',
  },
  SCHEDULE_DELETED: {
    what: (f) => `Der Zeitplan ${f.scheduleId} wurde gelöscht.`,
    short: 'Der Zeitplan wurde gelöscht.',
    why: 'Er beginnt keinen Lauf mehr. Was er getan hat, bleibt gespeichert.',
    fix: 'Ihr Administrator kann ihn neu anlegen.',
  },
  SCHEDULE_TEMPORAL_UNTOLD: {
    what: 'Der Zeitplan ist geändert, aber ein Teil der Anlage weiß es noch nicht.',
    why: 'Die Änderung ist gespeichert, und das zählt.',
    fix: 'Wiederholen Sie es später. Dauert es an, sagen Sie es Ihrem Administrator.',
  },
};

import type { EN_FINDINGS } from '../en/findings.ts';

export const DE_FINDINGS: typeof EN_FINDINGS = {
  ADDRESS_CHANGED: [
    'Zeilen zahlen an Empfänger, die unter einer anderen Adresse bekannt sind.',
    'Eine Nachricht mit neuen Zahlungsdaten ist der häufigste Betrug. Fragen Sie jeden Empfänger auf einem Weg, den Sie schon früher benutzt haben, nicht durch eine Antwort auf die Nachricht, die die Adresse brachte.',
  ],
  NAME_DIFFERS: [
    'Zeilen nennen einen Empfänger anders als das Verzeichnis bei derselben Adresse.',
    'Das Geld geht vielleicht an eine andere Person als die in der Datei. Korrigieren Sie die Zeile oder den Namen im Verzeichnis.',
  ],
  DUPLICATE_ROW: [
    'Einige Zeilen zahlen denselben Betrag in derselben Währung an dieselbe Adresse wie eine frühere Zeile.',
    'Das passiert, wenn Zeilen doppelt eingefügt oder exportiert werden; es können aber auch zwei Zahlungen an dieselbe Person sein. Entfernen Sie die Zeilen, die nicht gemeint sind.',
  ],
  DUPLICATE_IN_HISTORY: [
    'Einige Zeilen zahlen dasselbe wie Zeilen eines früheren Stapels.',
    'Sie wurden bezahlt oder werden es vielleicht noch. Entfernen Sie die Zeilen, die nicht noch einmal bezahlt werden sollen.',
  ],
  OVERLAP: [
    'Ein großer Teil der Zeilen steht auch in einem früheren Stapel.',
    'Das passiert, wenn eine Datei mit wenigen Änderungen noch einmal kommt. Sehen Sie den früheren Stapel an und entfernen Sie, was er zahlt.',
  ],
  LOOK_ALIKE_ADDRESS: [
    'Einige Zeilen zahlen an eine Adresse, die wie eine andere beginnt und endet.',
    'Viele vergleichen nur Anfang und Ende einer Adresse, und Betrüger erzeugen Adressen, die dort gleich sind. Vergleichen Sie die ganze Adresse mit ihrem Besitzer, Zeichen für Zeichen.',
  ],
  OWN_ADDRESS: [
    'Einige Zeilen zahlen an das eigene Konto oder eine seiner Wallets.',
    'Das passiert, wenn die Adresse an der falschen Stelle kopiert wurde. Nehmen Sie die Adresse der Person.',
  ],
  PAYEE_DENIED: [
    'Einige Zeilen zahlen an eine Adresse, die nicht bezahlt werden darf.',
    'Das hat eine Person entschieden. Entfernen Sie die Zeilen, oder fragen Sie Ihren Administrator, wer das entschieden hat und warum.',
  ],
  PAYEE_UNKNOWN: [
    'Einige Zeilen zahlen einen großen Betrag an eine unbekannte Adresse.',
    'Bestätigen Sie die Adresse mit ihrem Besitzer. Ihr Administrator kann sie zu den bekannten Adressen hinzufügen.',
  ],
  FIRST_TIME_PAYEE: [
    'Einige Zeilen zahlen an eine Adresse, die in dieser Währung noch nie bezahlt wurde.',
    'Über geänderte Adressen verlieren Firmen das meiste Geld an Betrüger. Bestätigen Sie neue Adressen mit ihren Besitzern, nicht durch eine Antwort auf die Nachricht, die sie brachte.',
  ],
  AMOUNT_ABOVE_HABIT: [
    'Einige Zeilen zahlen mehr als das Zehnfache dessen, was ihre Adresse in dieser Währung je bekam.',
    'Das passiert, wenn ein Komma verloren geht. Vergleichen Sie die Beträge mit ihrer Quelle.',
  ],
  LIMIT_ROW: [
    'Einige Zeilen zahlen mehr, als eine Zeile darf.',
    'Korrigieren Sie die Beträge, oder lassen Sie das Limit anheben.',
  ],
  LIMIT_PAYEE: [
    'Einige Zeilen zahlen mehr an eine Adresse, als ein Stapel darf.',
    'Korrigieren Sie die Beträge, oder lassen Sie das Limit anheben.',
  ],
  LIMIT_BATCH: [
    'Die Zeilen zahlen mehr, als ein Stapel darf.',
    'Zahlen Sie in mehreren Stapeln, oder lassen Sie das Limit anheben.',
  ],
  CURRENCY_NAMED_TWICE: [
    'Eine Währung ist auf zwei Weisen geschrieben.',
    'Grenzen und Freigaben würden übersehen, was unter dem anderen Namen steht. Schreiben Sie sie so, wie der Dienst es tut.',
  ],
  UNKNOWN_NETWORK: [
    'Einige Zeilen haben eine Währung oder ein Netzwerk, das Bursar nicht kennt.',
    'Ihre Adressen und Nachkommastellen konnten nicht geprüft werden. Korrigieren Sie die Währung, außer wenn der Dienst sie kennt.',
  ],
  ADDRESS_WITHOUT_CHECKSUM: [
    'Einige Zeilen haben Adressen in einer Form ohne Prüfsumme.',
    'Ein falscher Buchstabe darin fällt nicht auf. Vergleichen Sie sie mit ihrer Quelle, oder nehmen Sie die Form mit Prüfsumme.',
  ],
  ADDRESS_BURN: [
    'Einige Zeilen zahlen an eine Adresse, auf die niemand Zugriff hat.',
    'Geld dorthin ist verloren. Entfernen Sie die Zeilen.',
  ],
  ADDRESS_TOKEN_CONTRACT: [
    'Einige Zeilen zahlen an den Vertrag eines Tokens.',
    'Geld an einen Vertrag ist meist verloren. Nehmen Sie die Adresse der Person.',
  ],
  TAG_MAY_BE_NEEDED: [
    'Einige Zeilen zahlen in einem Netzwerk, in dem Börsen ein Tag oder Memo verlangen.',
    'Der Dienst hat kein Feld dafür. Fragen Sie die Empfänger, ob ihre Adresse eines braucht.',
  ],
  ROWS_SKIPPED: [
    'Falsche Zeilen werden ausgelassen, wie Sie es gewählt haben.',
    'Sie werden nicht bezahlt. Korrigieren Sie sie und zahlen Sie sie als eigenen Stapel.',
  ],
  SAME_FILE_AGAIN: [
    'Dieselben Zeilen wurden schon als anderer Stapel eingereicht.',
    'Wer eine Datei unter zwei Namen zahlt, zahlt alle zweimal. Sehen Sie den früheren Stapel an, und machen Sie nur weiter, wenn eine zweite Zahlung gemeint ist.',
  ],
};

import { DE_BATCH } from './de/batch.ts';
import { DE_CHARTS } from './de/charts.ts';
import { DE_ERRORS } from './de/errors.ts';
import { DE_MENDING } from './de/mending.ts';
import { DE_MONEY } from './de/money.ts';
import { DE_PAYMENT } from './de/payment.ts';
import { DE_PAYEES } from './de/payees.ts';
import { DE_REMEDIES } from './de/remedies.ts';
import { DE_SHELL } from './de/shell.ts';
import { DE_WORDS } from './de/words.ts';
import type { Texts } from './en.ts';

/** Every text of the web app in German. */
export const DE: Texts = {
  errors: DE_ERRORS,
  ...DE_SHELL,
  ...DE_WORDS,
  ...DE_BATCH,
  ...DE_PAYMENT,
  ...DE_MONEY,
  ...DE_PAYEES,
  ...DE_CHARTS,
  ...DE_MENDING,
  ...DE_REMEDIES,
};

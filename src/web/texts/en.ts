import { EN_BATCH } from './en/batch.ts';
import { EN_CHARTS } from './en/charts.ts';
import { EN_MENDING } from './en/mending.ts';
import { EN_MONEY } from './en/money.ts';
import { EN_PAYMENT } from './en/payment.ts';
import { EN_PAYEES } from './en/payees.ts';
import { EN_REMEDIES } from './en/remedies.ts';
import { EN_SHELL } from './en/shell.ts';
import type { ErrorTexts } from './error-texts.ts';
import { EN_WORDS } from './en/words.ts';

/** Every text of the web app in English. Another language has the same keys, or it does not compile. */
export const EN = {
  /** Errors have the sentences of the server. */
  errors: null as ErrorTexts | null,
  ...EN_SHELL,
  ...EN_WORDS,
  ...EN_BATCH,
  ...EN_PAYMENT,
  ...EN_MONEY,
  ...EN_PAYEES,
  ...EN_CHARTS,
  ...EN_MENDING,
  ...EN_REMEDIES,
};

export type Texts = typeof EN;

import type { Agenda } from './agenda.ts';
import type { Clocks } from './clocks.ts';
import type { Law } from './laws.ts';
import type { Random } from './random.ts';
import type { Setting } from './setting.ts';

/** What can go wrong, or be done by people, in a run. Each must happen somewhere in a run of many seeds (I10). */
export const FAULTS = [
  'worker killed',
  'worker frozen',
  'connection refused',
  'request lost',
  'request late',
  'accepted late',
  'refused: timestamp too old',
  'answer lost',
  'answer broken',
  'error before acceptance',
  'error after acceptance',
  'throttled',
  'refused for certain',
  'read failed',
  'lookup lagged',
  'lookup missed what exists',
  'lookup stalled',
  'another node answered',
  'Date jumped',
  'wall clock set',
  'row failed',
  'mass payout failed',
  'canceled by the merchant',
  'resent by a person in the service',
  'paid rows called failed',
  'row taken twice in silence',
  'account topped up',
  'balance not answered',
  'webhook lost',
  'webhook twice',
  'webhook forged',
  'batch canceled',
  'batch paused',
  'store brought back from an older copy',
  'store brought back at once, and Temporal lost',
] as const;
export type Fault = (typeof FAULTS)[number];

/** What the engine came to, so that a run of many seeds can show that its laws were not kept by doing nothing. */
export const SIGHTS = [
  'key known already',
  'step overtaken',
  'write too late',
  'create sent',
  'create in doubt',
  'recovered',
  'sent again after the fence',
  'void attempt',
  'unsent attempt',
  'operator asked',
  'question withdrawn',
  'chunk verified',
  'lookups disproven',
  'adopted by a person',
  'cleared by a person',
  'given up by a person',
  'row paid',
  'row failed for good',
  'row not sent',
  'row unknown',
  'fees asked for again',
  'approval given again',
  'released after a wait',
  'stopped before its release',
  'resend begun',
  'resend refused',
  'late change',
  'balance explained',
  'balance differs',
] as const;
export type Sight = (typeof SIGHTS)[number];

/** Everything that the parts of one run share. */
export type World = Readonly<{
  random: Random;
  agenda: Agenda;
  clocks: Clocks;
  setting: Setting;
  /** When people kept the batch from sending, by their own notes. Virtual milliseconds; neither end is meant. */
  pauses: { fromMs: number; toMs: number }[];
  /** Whether things still go wrong by themselves. */
  isStormy(): boolean;
  /** Whether a fault happens now that happens `share` of the times while things go wrong. */
  strikes(fault: Fault, share: number): boolean;
  count(what: Fault | Sight): void;
  note(text: () => string): void;
  broke(law: Law, why: string): void;
}>;

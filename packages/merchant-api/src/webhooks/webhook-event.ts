import type { EventType, PayoutEventType } from '../spec/events.ts';
import type { WireState } from '../spec/states.ts';
import type { OpenValue } from '../records/open-value.ts';

/** Fields of every webhook. All of them are hints: read the object by a signed call before you act. */
export type WebhookFacts = {
  /** Strings of the body that may be ids, those nearest to the top first; at most 1,000. */
  readonly ids: readonly string[];
  /** Account id that the body names. Absent when it names none. */
  readonly account?: string;
  /** The whole body, with numbers as exact text. Absent when it is not JSON, or has a name twice in one object. */
  readonly content?: OpenValue;
};

/** The payout that a webhook names. ASSUMED: the fields of a mass payout record; each may be absent. */
export type WebhookPayout = {
  /** Id that the service gave the payout. */
  readonly id?: string;
  /** The UUID that the creator chose. */
  readonly idempotencyKey?: string;
  /** External reference that the creator chose. */
  readonly externalId?: string;
  /** State after the event. Anybody can send a webhook, so it proves nothing. */
  readonly state?: WireState;
};

/** Webhook about a payout or a mass payout. Spec: "Events", family "Payout". */
export type PayoutWebhook = {
  /** Event type; narrows the webhook. */
  readonly type: PayoutEventType;
  /** The payout. */
  readonly payout: WebhookPayout;
} & WebhookFacts;

/** Webhook about another object. Spec: "Events". */
export type OtherWebhook = {
  /** Event type; narrows the webhook. */
  readonly type: Exclude<EventType, PayoutEventType>;
} & WebhookFacts;

/** Webhook without an event type that the spec names. */
export type UnknownWebhook = {
  /** `UNKNOWN`; no event type of the spec has this name. */
  readonly type: 'UNKNOWN';
  /** Text of the field `type`, such as an event type that is newer than this client. Absent without one. */
  readonly typeName?: string;
} & WebhookFacts;

/** A webhook, as far as its body shows it. Branch on `type`. */
export type WebhookEvent = PayoutWebhook | OtherWebhook | UnknownWebhook;

import type { NotificationText } from '../../domain/notify/notification-text.ts';

/** ASSUMED: the version that Teams shows on all devices. Its documentation names 1.4 and later for cards of workflows. */
const CARD_VERSION = '1.4';

/**
 * The JSON of a Workflows webhook of Microsoft Teams: one Adaptive Card. ASSUMED: the workflow "Post to a channel when a webhook
 * request is received" takes this form and answers 202; no tenant was tried.
 */
export function teamsMessage(text: NotificationText): string {
  const facts = text.facts.map(([title, value]) => ({
    title: escaped(title),
    value: escaped(value),
  }));
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: CARD_VERSION,
    body: [
      { ...block(text.subject), size: 'Large', weight: 'Bolder' },
      block(text.happened),
      ...(facts.length === 0 ? [] : [{ type: 'FactSet', facts }]),
      ...(text.wanted === null ? [] : [{ ...block(text.wanted), weight: 'Bolder' }]),
      ...text.commands.map((command) => ({ ...block(command), fontType: 'Monospace' })),
    ],
    actions:
      text.link === null
        ? []
        : [{ type: 'Action.OpenUrl', title: 'Open in Bursar', url: text.link }],
  };
  return JSON.stringify({
    type: 'message',
    attachments: [
      { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card },
    ],
  });
}

const block = (text: string) => ({ type: 'TextBlock', text: escaped(text), wrap: true });

/** A card reads a part of Markdown, links included. A backslash takes the meaning from its signs. */
const escaped = (text: string): string => text.replace(/[\\[\]*_`]/g, (sign) => `\\${sign}`);

import type { NotificationText } from '../../domain/notify/notification-text.ts';

/**
 * Characters of a header and of a section. ASSUMED: Slack documents these and the form of a message ("Incoming webhooks", "Blocks");
 * no workspace was tried.
 */
const HEADER_LENGTH_MAX = 150;
const SECTION_LENGTH_MAX = 3_000;

/** The JSON of an incoming webhook of Slack: `text` is for the notification of the phone, `blocks` for the channel. */
export function slackMessage(text: NotificationText): string {
  const facts = text.facts.map(([label, value]) => `*${escaped(label)}:* ${escaped(value)}`);
  const lines = [escaped(text.happened), ...facts];
  const commands = text.commands.map(escaped).join('\n');
  return JSON.stringify({
    text: escaped(text.subject),
    blocks: [
      {
        type: 'header',
        text: { type: 'plain_text', text: text.subject.slice(0, HEADER_LENGTH_MAX) },
      },
      section(lines.join('\n')),
      ...(text.wanted === null ? [] : [section(`*${escaped(text.wanted)}*`)]),
      ...(text.link === null ? [] : [section(`<${escaped(text.link)}|Open in Bursar>`)]),
      ...(commands === '' ? [] : [section(`\`\`\`${commands}\`\`\``)]),
    ],
  });
}

const section = (text: string) => ({
  type: 'section',
  text: { type: 'mrkdwn', text: text.slice(0, SECTION_LENGTH_MAX) },
});

/** The three characters that Slack reads as mark-up of links and mentions. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

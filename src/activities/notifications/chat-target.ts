import { isBursarError } from '../../domain/errors/bursar-error.ts';
import { notificationText } from '../../domain/notify/notification-text.ts';
import { postJson } from './post.ts';
import { slackMessage } from './slack-message.ts';
import { failed, type Target, TRY_MS_MAX } from './target.ts';
import { teamsMessage } from './teams-message.ts';

export type ChatTargetOptions = Readonly<{
  name: string;
  events: readonly string[];
  chat: 'slack' | 'teams';
  /** Reads the address of the channel at each try. The address is the only secret. */
  readAddress(): string;
  tryMsMax?: number;
}>;

const MESSAGES = { slack: slackMessage, teams: teamsMessage };

/** A target that is a channel of Slack or Microsoft Teams. A repeated try shows the message again. */
export const createChatTarget = ({
  name,
  events,
  chat,
  readAddress,
  tryMsMax = TRY_MS_MAX,
}: ChatTargetOptions): Target => ({
  name,
  events,
  async deliver({ body }) {
    try {
      const url = readAddress();
      return await postJson({ url, body: MESSAGES[chat](notificationText(body)), tryMsMax });
    } catch (error) {
      if (isBursarError(error)) return failed(error.note.what);
      throw error;
    }
  },
});

/** Characters of one message; the sandbox writes far shorter ones. */
const MESSAGE_LENGTH_MAX = 1_048_576;

/** The data of each message of a stream of server-sent events; comments are passed over. */
export async function* messagesIn(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of stream as AsyncIterable<Uint8Array>) {
    text += decoder.decode(piece, { stream: true });
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    if (text.length > MESSAGE_LENGTH_MAX) throw new Error('a message of the stream has no end');
    for (const message of messages) {
      const data = dataOf(message);
      if (data !== '') yield data;
    }
  }
}

const dataOf = (message: string): string =>
  message
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice('data: '.length))
    .join('\n');

import { render } from 'preact';
import { App } from './app.tsx';
import { Announcements } from './shell/announcements.tsx';
import { ReaderProvider } from './shell/reader.tsx';
import { SessionGate } from './shell/session-gate.tsx';

const root = document.querySelector('#web');
if (root === null) throw new Error('The page has no element for the app.');
root.replaceChildren();
render(
  <ReaderProvider>
    <Announcements>
      <SessionGate>
        <App />
      </SessionGate>
    </Announcements>
  </ReaderProvider>,
  root,
);

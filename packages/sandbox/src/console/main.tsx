import { render } from 'preact';
import { createLive, LiveContext } from './api/live.ts';
import { App } from './app.tsx';
import { Announcements } from './shell/announcements.tsx';

const root = document.querySelector('#console');
if (root === null) throw new Error('The page has no element for the console.');
root.replaceChildren();
render(
  <LiveContext.Provider value={createLive()}>
    <Announcements>
      <App />
    </Announcements>
  </LiveContext.Provider>,
  root,
);

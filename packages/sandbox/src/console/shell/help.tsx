import { DialogActions } from '../parts/action-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { CONSOLE_PAGES } from './console-pages.ts';

const KEYS = [
  ['/', 'search or filter'],
  ['j', 'next in a list'],
  ['k', 'previous in a list'],
  ['Enter', 'open'],
  ['Esc', 'close a dialog without doing anything'],
  ['?', 'this help'],
] as const;

export const Help = ({ onClose }: { onClose(): void }) => (
  <Dialog title="Keys" onClose={onClose}>
    <dl class="keys">
      {CONSOLE_PAGES.map(({ key, name }) => (
        <div key={key}>
          <dt>
            <kbd>g</kbd> <kbd>{key}</kbd>
          </dt>
          <dd>{name}</dd>
        </div>
      ))}
      {KEYS.map(([key, does]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
    <DialogActions onClose={onClose} closeLabel="Close" />
  </Dialog>
);

/** The page of the dashboard. `dist/webview/dashboard.js` is made of it. */
import { host, store, webview } from './start.ts';
import './elements.ts';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { readUiState } from './ui-state.ts';

const place = document.querySelector('#dashboard');
if (!place) throw new Error('the page has a place for the dashboard');
const root = createRoot(place);
flushSync(() => {
  root.render(
    <App
      host={host}
      store={store}
      first={readUiState(webview.getState())}
      keep={(state) => {
        webview.setState(state);
      }}
    />,
  );
});

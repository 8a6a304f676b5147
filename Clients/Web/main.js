import { App } from './app.js';
import { language, t } from './strings.js';

document.documentElement.lang = language;
document.getElementById('skip').textContent = t('skip');

/** The server's facts about itself; if they are unavailable, those for a page without Leaflet. */
async function facts() {
  try {
    return await (await fetch('/assets/config.json')).json();
  } catch {
    return { leaflet: false };
  }
}

new App(await facts()).start();

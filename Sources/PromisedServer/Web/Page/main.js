import { App } from './app.js';
import { language, t } from './strings.js';

document.documentElement.lang = language;
document.getElementById('skip').textContent = t('skip');

/** The server's facts about itself; if they cannot be had, those that a page without Leaflet needs. */
async function facts() {
  try {
    return await (await fetch('/assets/config.json')).json();
  } catch {
    return { leaflet: false };
  }
}

new App(await facts()).start();

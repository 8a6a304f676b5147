import { App } from './app.js';
import { language, t } from './strings.js';

document.documentElement.lang = language;
document.getElementById('skip').textContent = t('skip');

/** What the server says about itself; what a page without Leaflet needs when even that cannot be had. */
async function facts() {
  try {
    return await (await fetch('/assets/config.json')).json();
  } catch {
    return { leaflet: false };
  }
}

new App(await facts()).start();

import { h, mark, setText, show } from '../dom.js';
import { moment, time } from '../format.js';
import { icon } from '../icons.js';
import { closedSentence, openingLine } from '../opening.js';
import { t } from '../strings.js';
import { hourAt, temperature, warnings, weatherFacts, weatherLine } from '../weather.js';
import { outside } from './credits.js';

/** Hours and weather of a place at an instant. */
export class OutlookPart {
  #hasHours;

  /**
   * @param {string} title the heading; an empty text for none
   * @param {{hasHours?: boolean}} [options] false: the weather alone
   */
  constructor(title = '', { hasHours = true } = {}) {
    this.#hasHours = hasHours;
    this.opening = h('p.state');
    this.closed = h('p.closed', { hidden: true });
    this.sky = h('p.sky');
    this.facts = h('dl.measures');
    this.advice = h('ul.advice');
    this.hours = h('ol.hours', { 'aria-label': t('weather.hours') });
    this.credit = h('p.quiet');
    this.root = h('section.outlook', { hidden: true, 'aria-label': title || t('outlook') }, title && h('h2', {}, title),
      this.opening, this.closed, this.sky, this.advice, this.facts, this.hours, this.credit);
  }

  /** Hours, weather and warnings in one line, as last drawn. */
  get line() {
    const parts = [this.closed, this.opening, this.sky].filter((one) => !one.hidden).map((one) => one.textContent);
    return [...parts, ...[...this.advice.children].map((one) => one.textContent)].filter(Boolean).join(' · ');
  }

  /**
   * @param {object|null|undefined} outlook in the protocol's form; none hides the part
   * @param {boolean} [isClosedAllDay] true if a closed place does not open on that day
   */
  draw(outlook, isClosedAllDay = false) {
    const hasHours = this.#hasHours && Boolean(outlook) && (outlook.opening ?? 'UNKNOWN') !== 'UNKNOWN';
    const hasWeather = Boolean(outlook?.weatherState) && !['OFF', 'UNSPECIFIED'].includes(outlook.weatherState);
    show(this.root, hasHours || hasWeather);
    if (!outlook) return;
    const closed = hasHours ? closedSentence(outlook, isClosedAllDay) : '';
    setText(this.closed, closed);
    show(this.closed, closed !== '');
    setText(this.opening, openingLine(outlook, outlook.at));
    mark(this.opening, 'data-opening', outlook.opening);
    show(this.opening, hasHours && closed === '');
    this.#drawWeather(outlook, hasWeather);
  }

  #drawWeather({ at, weather, weatherState }, hasWeather) {
    const hour = hasWeather ? hourAt(weather, at) : null;
    show(this.sky, hasWeather);
    const none = t('weather-state.' + stateOf(weatherState, hour));
    this.sky.replaceChildren(...(hour ? [icon(hour.condition), h('strong', {}, weatherLine(hour))] : [none]));
    const [words, facts] = hour ? [warnings(hour), weatherFacts(hour)] : [[], []];
    this.advice.replaceChildren(...words.map((word) => h('li', { 'data-advice': word }, t('advice.' + word))));
    this.facts.replaceChildren(...facts.map(([word, value]) => h('div', {}, h('dt', {}, word), h('dd', {}, value))));
    const hours = hour && weather.hours.length > 1 ? weather.hours : [];
    this.hours.replaceChildren(...hours.map((one) => hourItem(one, one === hour)));
    for (const list of [this.advice, this.facts, this.hours]) show(list, list.children.length > 0);
    this.credit.replaceChildren(...(hour ? creditLine(weather, weatherState) : []));
  }
}

/** A forecast without the hour counts as none. */
const stateOf = (state, hour) => (['READY', 'STALE'].includes(state) && !hour ? 'BEYOND' : state);

function hourItem(hour, isNow) {
  return h('li', { 'aria-current': isNow ? 'time' : null }, h('time', {}, time(hour.at)), icon(hour.condition),
    h('span', { 'aria-hidden': 'true' }, temperature(hour)), h('span.unseen', {}, weatherLine(hour)));
}

function creditLine({ attribution, attributionUrl, fetchedAt }, state) {
  const age = t(state === 'STALE' ? 'weather.stale' : 'weather.fetched', { time: moment(fetchedAt) });
  return [outside(attribution || '', attributionUrl), attribution ? ' · ' : '', age];
}

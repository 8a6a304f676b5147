import { locale, t } from './strings.js';
import { isImperial, miles } from './units.js';

const unit = (name, digits) =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits: digits });
/** A number of one unit, shown in another one for users of imperial units. */
const either = (name, digits, otherName, otherDigits, convert) => {
  const form = isImperial ? unit(otherName, otherDigits) : unit(name, digits);
  return { format: (value) => form.format(isImperial ? convert(value) : value) };
};
const celsius = either('celsius', 0, 'fahrenheit', 0, (value) => value * 1.8 + 32);
const millimetres = either('millimeter', 1, 'inch', 2, (value) => value / 25.4);
const centimetres = either('centimeter', 1, 'inch', 1, (value) => value / 2.54);
const percent = unit('percent', 0);
const speed = either('meter-per-second', 0, 'mile-per-hour', 0, (value) => miles(value * 3600));
const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });

/** The forecast's hour that contains an instant; the first hour, up to an hour before it begins; else null. */
export function hourAt(weather, at) {
  const instant = Date.parse(at);
  const hours = weather?.hours ?? [];
  const isNear = (hour) => Date.parse(hour.at) - instant <= 3_600_000;
  return hours.findLast((hour) => Date.parse(hour.at) <= instant) ?? hours.slice(0, 1).find(isNear) ?? null;
}

/** The temperature of an hour: "12 °C"; an empty text if it is unknown. */
export const temperature = ({ temperatureCelsius }) => (temperatureCelsius === undefined ? '' : celsius.format(temperatureCelsius));

/** The weather of the hour in words: "Rain, 12 °C". */
export const weatherLine = (hour) => [t('weather.' + (hour.condition ?? 'UNKNOWN')), temperature(hour)].filter(Boolean).join(', ');

/** All other known facts of the hour, as pairs of a word and a value. */
export function weatherFacts(hour) {
  const facts = [
    ['felt', hour.feltCelsius, celsius], ['chance', hour.precipitationPercent, percent],
    ['rain', hour.precipitationMm, millimetres], ['snow', hour.snowCm, centimetres],
    ['wind', hour.windMps, speed],
    ['gust', hour.gustMps, speed],
    ['humidity', hour.humidityPercent, percent],
    ['pm10', hour.pm10, { format: (value) => air(value, hour.pm10Grade) }],
    ['pm25', hour.pm25, { format: (value) => air(value, hour.pm25Grade) }],
  ];
  const isDry = (key, value) => ['rain', 'snow'].includes(key) && value === 0;
  return facts.filter(([key, value]) => value !== undefined && !isDry(key, value))
    .map(([key, value, form]) => [t('weather.' + key), form.format(value)]);
}

function air(value, grade) {
  const amount = t('micrograms', { n: number.format(value) });
  return grade && grade !== 'UNSPECIFIED' ? `${t('air.' + grade)} (${amount})` : amount;
}

/** The advice that this page knows, except that all is well. */
export const warnings = ({ advice = [] }) =>
  advice.filter((word) => ['dangerous', 'slippery', 'careful', 'dusty', 'hot', 'freezing'].includes(word));

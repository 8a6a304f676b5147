/** The currencies of time zones whose continent mostly uses another one. */
const ZONES = {
  'Asia/Seoul': 'KRW', 'Asia/Tokyo': 'JPY', 'Asia/Shanghai': 'CNY', 'Asia/Hong_Kong': 'HKD', 'Asia/Taipei': 'TWD', 'Asia/Singapore': 'SGD',
  'Asia/Bangkok': 'THB', 'Asia/Kolkata': 'INR', 'Asia/Calcutta': 'INR', 'Asia/Jakarta': 'IDR', 'Asia/Manila': 'PHP', 'Europe/London': 'GBP',
  'Europe/Zurich': 'CHF', 'Europe/Stockholm': 'SEK', 'Europe/Oslo': 'NOK', 'Europe/Copenhagen': 'DKK', 'Europe/Warsaw': 'PLN',
  'Europe/Prague': 'CZK', 'Europe/Budapest': 'HUF', 'Europe/Istanbul': 'TRY', 'America/Toronto': 'CAD', 'America/Vancouver': 'CAD',
  'America/Mexico_City': 'MXN', 'America/Sao_Paulo': 'BRL', 'Pacific/Auckland': 'NZD',
};
const CONTINENTS = { Europe: 'EUR', America: 'USD', Australia: 'AUD' };

/** The currency that people in a time zone most likely use, as a first suggestion. @param {string} [zone] */
export function currencyOf(zone) {
  return ZONES[zone] ?? CONTINENTS[zone?.split('/')[0]] ?? 'USD';
}

import { openingLine } from '../opening.js';
import { clusterKey } from './placelist.js';

/** States worth a line under every sign. */
const TOLD = ['OPEN', 'CLOSED'];

/** A place's sign on the map. */
export const placeSign = (card, directory, at, isSelected = false) => ({
  id: card.placeId, card, at: [card.place.latitude ?? 0, card.place.longitude ?? 0], icon: directory.icon(card.categories?.[0]),
  name: card.place.name, line: isSelected || TOLD.includes(card.opening) ? openingLine(card, at) : '', opening: card.opening, isSelected,
});

/** A cluster's sign on the map, with the category that all of its places have, if any. */
export const clusterSign = (cluster, directory) => ({
  id: clusterKey(cluster), cluster, at: [cluster.latitude ?? 0, cluster.longitude ?? 0], count: cluster.count,
  name: commonCategory(cluster, directory), line: '',
});

function commonCategory({ categories = [], count }, directory) {
  const common = categories.find((one) => one.count === count);
  return common ? directory.name(common.id) : '';
}

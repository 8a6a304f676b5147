import { openingLine } from '../opening.js';
import { clusterKey } from './placelist.js';

/** A place's sign on the map. */
export const placeSign = (card, directory, at, isSelected = false) => ({
  id: card.placeId, card, at: [card.place.latitude ?? 0, card.place.longitude ?? 0], icon: directory.icon(card.categories?.[0]),
  name: card.place.name, line: openingLine(card, at), opening: card.opening, isSelected,
});

/** A cluster's sign on the map. */
export const clusterSign = (cluster, directory) => ({
  id: clusterKey(cluster), cluster, at: [cluster.latitude ?? 0, cluster.longitude ?? 0], count: cluster.count,
  name: directory.name(cluster.label), line: '',
});

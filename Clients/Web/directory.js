/** The directory's categories and regions, each requested on first use, and its places for a promise. */
export class Directory {
  #client;
  #categories = null;
  #regions = new Map();
  #known = new Map();

  constructor(client) {
    this.#client = client;
  }

  /** Drops the known texts, which are in another language: they are requested again. */
  forget() {
    this.#categories = null;
    this.#regions.clear();
  }

  /** All categories, in the operator's order. */
  categories() {
    return (this.#categories ??= this.#keep(this.#client.call('listCategories', {}), () => (this.#categories = null)));
  }

  /** The regions of the first level, or the parts of one. */
  async regions(parent = '') {
    if (!this.#regions.has(parent)) {
      const asked = this.#client.call('listRegions', parent ? { parent } : {});
      this.#regions.set(parent, asked.catch((error) => {
        this.#regions.delete(parent);
        throw error;
      }));
    }
    return (await this.#regions.get(parent)).regions ?? [];
  }

  /** The name of a category; its id while the categories are unknown. */
  name(id) {
    return this.#known.get(id)?.name ?? id;
  }

  /** The icon key of a category. */
  icon(id) {
    return this.#known.get(id)?.icon ?? 'other';
  }

  /**
   * The place named by a link of the page, in the form of a promise's place.
   * @param {{kind: 'place'|'favourite', id: string}} source a place of the directory, or a favourite
   * @returns {Promise<object|null>} null for a favourite that was removed
   */
  async placeOf({ kind, id }) {
    if (kind === 'place') return { ...(await this.#client.call('getPlace', { placeId: id })).card.place, placeId: id };
    let cursor = '';
    do {
      const reply = await this.#client.call('listFavourites', { limit: 50, ...(cursor && { cursor }) });
      const found = reply.favourites?.find(({ favouriteId }) => favouriteId === id);
      if (found) return { ...found.place, placeId: found.card?.placeId ?? '' };
      cursor = reply.cursor ?? '';
    } while (cursor);
    return null;
  }

  async #keep(asked, forget) {
    try {
      const { categories = [] } = await asked;
      this.#known = new Map(categories.map((category) => [category.id, category]));
      return categories;
    } catch (error) {
      forget();
      throw error;
    }
  }
}

/**
 * All entries of a list, page by page.
 * @param {PromisedClient} client
 * @param {string} request such as `listFriends`
 * @param {string} name of the list in the reply, such as `users`
 * @param {{fields?: object, most?: number}} [options] `most`: stops after the page that reaches this many entries
 */
export async function allPages(client, request, name, { fields = {}, most = 1000 } = {}) {
  const found = [];
  let cursor = '';
  do {
    const page = await client.call(request, { ...fields, limit: 50, ...(cursor && { cursor }) });
    found.push(...(page[name] ?? []));
    cursor = page.cursor ?? '';
  } while (cursor && found.length < most);
  return found;
}

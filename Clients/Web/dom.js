/**
 * Makes an element. Texts become text nodes, never markup, so user input is harmless.
 *
 * @param {string} name such as `button` or `p.quiet` (classes after dots)
 * @param {object} [attributes] `on…` are listeners, `true` an empty attribute, false, null and undefined none
 * @param {...(Node|string|null|undefined|false|Array)} children
 */
export function h(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split('.');
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(' ');
  for (const [key, value] of Object.entries(attributes)) setAttribute(element, key, value);
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

function setAttribute(element, key, value) {
  if (value === false || value === null || value === undefined) return;
  if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
  else if (key === 'value') element.value = value;
  else element.setAttribute(key, value === true ? '' : value);
}

/** Sets an element's text if it differs: an unchanged node costs nothing and is not announced again. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets or removes an attribute if it differs. */
export function mark(element, name, value) {
  if (value === null || value === undefined || value === false) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
  } else if (element.getAttribute(name) !== String(value)) {
    element.setAttribute(name, value);
  }
}

/**
 * Reconciles the children of `parent` with `items`, reusing the elements of remaining items, so that focus and
 * selection survive.
 *
 * @param {Element} parent
 * @param {Array} items
 * @param {(item: any) => string} key unique among the items
 * @param {(item: any) => {root: Element, update: (item: any) => void}} make
 */
export function keep(parent, items, key, make) {
  const known = (parent.kept ??= new Map());
  const wanted = new Set(items.map(key));
  for (const [name, row] of known) {
    if (wanted.has(name)) continue;
    row.root.remove();
    known.delete(name);
  }
  items.forEach((item, index) => {
    const name = key(item);
    let row = known.get(name);
    if (!row) known.set(name, (row = make(item)));
    row.update(item);
    if (parent.children[index] !== row.root) parent.insertBefore(row.root, parent.children[index] ?? null);
  });
}

/** Shows or hides an element. */
export function show(element, isShown) {
  if (element.hidden === isShown) element.hidden = !isShown;
}

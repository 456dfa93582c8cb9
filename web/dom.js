// Functions that create and replace elements.

export const byId = (id) => document.getElementById(id);

const SVG = 'http://www.w3.org/2000/svg';

/** Flattens nested lists of children and removes false, null, undefined and ''. */
const present = (children) =>
  children.flat(Infinity).filter((child) => child !== false && child !== null && child !== undefined && child !== '');

function apply(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...present(children));
  return element;
}

/** Creates an element: h('button', {class: 'x', onclick: f}, 'text', more...). */
export function h(tag, properties, ...children) {
  return apply(document.createElement(tag), properties, children);
}

/** Creates an SVG element in the same way. */
export function s(tag, properties, ...children) {
  return apply(document.createElementNS(SVG, tag), properties, children);
}

/** A button with a text; `key` is its data-key (see fill), by default its id. */
export function button(id, text, action, { main = false, disabled = false, key = id } = {}) {
  return h('button', { type: 'button', id, 'data-key': key, class: main && 'main', disabled, onclick: action }, text);
}

/** The header of a dialog: its title and a button that closes it. */
export function dialogHeader(dialog, title) {
  const close = h('button', { type: 'button', class: 'quiet icon', 'data-t-label': 'close' }, '\u00d7');
  close.addEventListener('click', () => dialog.close());
  return h('header', {}, h('h2', { id: `${dialog.id}-title` }, title), close);
}

/**
 * Replaces the content. If the focus was inside, it moves to the new element with the same data-key. If there is none
 * and the focus was visible, it moves to the first element with a data-key.
 */
export function fill(parent, ...children) {
  const focused = parent.contains(document.activeElement) ? document.activeElement : null;
  const visible = focused?.matches(':focus-visible');
  parent.replaceChildren(...present(children));
  if (!focused) return;
  const keyed = [...parent.querySelectorAll('[data-key]')];
  const next = keyed.find((element) => element.dataset.key === focused.dataset.key) ?? (visible && keyed[0]);
  if (next) next.focus();
}

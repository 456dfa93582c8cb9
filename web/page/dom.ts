// What the views and the board are made with: elements, parts of templates that several views use, values and sides as
// symbols; and what the device can do, and its pointer does.

import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';

import { countOf, letterOf } from './format.js';
import { typedIn } from './state/typing.js';
import { t } from './texts.js';

import type { Content, Dispatch, Field, Result, Side, State, Value } from './state/types.js';

// ---- elements ----

type Child = Element | string | number | false | null | undefined | Child[];
type Properties = Record<string, string | number | boolean | null | undefined>;

/** The element, which is in the page. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new RangeError(`no element ${id}`);
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

const nodes = (children: Child[]): (Element | string)[] =>
  children.flatMap((child) => {
    if (Array.isArray(child)) return nodes(child);
    if (typeof child === 'number') return [String(child)];
    return child ? [child] : [];
  });

function apply<Some extends Element>(element: Some, properties: Properties, children: Child[]) {
  for (const [name, value] of Object.entries(properties))
    if (value !== undefined && value !== null && value !== false)
      element.setAttribute(name, value === true ? '' : String(value));
  element.append(...nodes(children));
  return element;
}

/** Creates an element: h('div', {class: 'x'}, 'text', more...). */
export const h = (tag: string, properties: Properties, ...children: Child[]) =>
  apply(document.createElement(tag), properties, children);

/** Creates an SVG element in the same way. */
export const s = <Tag extends keyof SVGElementTagNameMap>(tag: Tag, properties: Properties, ...children: Child[]) =>
  apply(document.createElementNS(SVG, tag), properties, children);

/** Replaces the content of an element. */
export const fill = (parent: Element, ...children: Child[]) => parent.replaceChildren(...nodes(children));

// Browsers that translate the page put such an element in the place of each text. lit-html writes the next text into
// `data` of what it takes for the node of the text before: a new node replaces the element.
if (globalThis.HTMLFontElement)
  Object.defineProperty(HTMLFontElement.prototype, 'data', {
    set(text: string) {
      this.replaceWith(text);
    },
  });

// ---- the device ----

/** Whether the first pointer of this device is one that hovers, not a finger. */
export const hasMouse = () => matchMedia('(hover: hover)').matches;

/**
 * Begins another task, before any that waits if possible: what the browser draws after a click belongs to the click's
 * task.
 */
export const newTask = () =>
  globalThis.scheduler ? scheduler.postTask(() => {}, { priority: 'user-blocking' })
    : new Promise((resolve) => setTimeout(resolve));

/**
 * Copies the text of a field to the clipboard. Returns whether that was possible; if not, the text is selected.
 * @param id of the field
 */
async function copy(id: string) {
  const field = document.querySelector<HTMLInputElement | HTMLTextAreaElement>(`#${id}`);
  if (!field) return false;
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.select();
    return document.execCommand('copy'); // where the page has no access to the clipboard
  }
}

/** Saves a file of a type on this device. */
export function download(content: BlobPart, type: string, name: string) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/** Whether this page is a file, whose links are of no use to others. */
export const isFile = () => location.protocol === 'file:';

/** Whether the device has a way of its own to share addresses. */
export const canShare = () => 'share' in navigator && !isFile();
export const shareLink = (url: string, title = t('title')) => void navigator.share({ title, url }).catch(() => {});

// ---- the pointer ----

let isDown = false;
/** What is to be done after the release. */
const postponed: (() => void)[] = [];
const press = () => {
  isDown = true;
};
/** Whether a pointer is pressed, or has just been released. */
export const isPressed = () => isDown;
const release = () =>
  setTimeout(() => {
    isDown = false;
    for (const action of postponed.splice(0)) action();
  }); // after the click
for (const type of ['pointerdown', 'mousedown']) globalThis.window?.addEventListener(type, press, true);
for (const type of ['pointerup', 'mouseup', 'pointercancel']) globalThis.window?.addEventListener(type, release, true);

/**
 * Does what follows from leaving a control when nothing is pressed: what the pointer has gone to must not move away
 * from under it.
 */
const whenReleased = (action: () => void) => {
  if (isDown) postponed.push(action);
  else action();
};

// Whether the pointer moved: a list that appears under a resting one gets events, too.
const pointer = { x: NaN, y: NaN, moved: false };
globalThis.window?.addEventListener(
  'pointermove',
  ({ screenX, screenY }) => {
    pointer.moved = screenX !== pointer.x || screenY !== pointer.y;
    Object.assign(pointer, { x: screenX, y: screenY });
  },
  true,
);

/** Whether a pointermove event is of a pointer that hovers and has really moved. */
export const hovers = (event: PointerEvent) => event.pointerType !== 'touch' && pointer.moved;

// ---- parts of templates ----

/** A listener; which events it gets, the template says. */
type Listener = (event: never) => void;
/** An event of such an element. */
export type On<Target extends Element> = Event & { readonly target: Target };

const ICONS = {
  back: 'M14.5 6 8.5 12l6 6',
  forward: 'm9.5 6 6 6-6 6',
  flip: 'M8 19V5M4.5 8.5 8 5l3.5 3.5M16 5v14m-3.5-3.5L16 19l3.5-3.5',
  share: 'M12 15V4m-4 4 4-4 4 4M6 12v8h12v-8',
  help: 'M9 9a3 3 0 1 1 4.2 2.8c-.8.4-1.2 1-1.2 2V14m0 3.5v.2',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'm6 6 12 12M18 6 6 18',
  play: 'M12 5.2a6.8 6.8 0 1 0 .1 0zM12 10a2 2 0 1 0 .1 0z',
  learn: 'M2.5 9.5 12 5l9.5 4.5L12 14zM6.5 11.5V16c2.5 2.3 8.5 2.3 11 0v-4.5',
  home: 'M4 11.5 12 5l8 6.5M6.5 10v9h11v-9',
  explore: 'M10.5 4.5a6 6 0 1 0 .1 0zM15 15l5 5',
};

type IconName = keyof typeof ICONS;

export const icon = (name: IconName) =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[name]} /></svg>`;

/** A button with a text. */
export const button = (id: string, text: Content, onClick: Listener, { main = false, disabled = false } = {}) =>
  html`<button type="button" id=${id} class=${main ? 'main' : ''} ?disabled=${disabled} @click=${onClick}
    >${text}</button>`;

/** A button that asks, when it is pressed, whether its action is meant: see ifSure(). */
export const sureButton = ({ confirming }: State, id: string, text: string, onClick: Listener) =>
  button(id, confirming?.id === id ? confirming.question : text, onClick);

/** A button with an icon, whose name is shown as a tooltip. */
export const iconButton = (
  id: string, name: IconName, label: string, onClick: Listener, { disabled = false, dialog = false } = {},
) =>
  html`<button
    type="button"
    id=${id}
    class="icon"
    title=${label}
    aria-label=${label}
    aria-haspopup=${dialog ? 'dialog' : nothing}
    ?disabled=${disabled}
    @click=${onClick}
  >
    ${icon(name)}
  </button>`;

/** A switch with a text. */
export const switchButton = (id: string, text: string, on: boolean, onClick: Listener) =>
  html`<button type="button" id=${id} class="switch" role="switch" aria-checked=${on} @click=${onClick}>
    <span>${text}</span><span class="track" aria-hidden="true"></span>
  </button>`;

/** The button that shares an address in the way of the device. */
export const nativeShare = (id: string, url: string) =>
  (canShare() ? button(id, t('shareNative'), () => shareLink(url)) : nothing);

/**
 * A field with its label.
 * @param id of the control in it
 */
export const labelled = (id: string, label: Content, content: Content) =>
  html`<div class="field"><label for=${id}>${label}</label>${content}</div>`;

/**
 * A text in a field, and the button that copies it.
 * @param id of the field
 * @param options with the label of the button, and what follows it
 */
export function copyField(
  { share: { copied } }: State, dispatch: Dispatch, id: string, value: string,
  { rows, label, main, more }: { rows?: number; label?: string; main?: boolean; more?: Content } = {},
) {
  const isCopied = copied === value;
  const onClick = async () => {
    const isDone = await copy(id);
    dispatch(isDone ? { type: 'copied', what: value } : { type: 'copyFailed' });
  };
  return html`<div class="row">
    ${rows ? html`<textarea id=${id} readonly rows=${rows} .value=${value}></textarea>`
      : html`<input id=${id} readonly .value=${value} />`}
    <button type="button" class=${main ? 'main' : ''} aria-label=${(!isCopied && label) || nothing} @click=${onClick}
      >${t(isCopied ? 'copied' : 'copy')}</button>
    ${more}
  </div>`;
}

/** The listener of a field for a file. It forgets the file, so that the same one can be chosen again when repaired. */
export const onFile = (use: (file: File) => void) => ({ target }: On<HTMLInputElement>) => {
  const file = target.files?.[0];
  target.value = '';
  if (file) use(file);
};

/**
 * What has the caret of a field, if the element is one, stay where it is in the text when that changes: another window
 * has typed there, too.
 */
export function keptCaret(element: Element | null) {
  if (!(element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement)) return () => {};
  const { value, selectionStart, selectionEnd } = element;
  return () => {
    const { value: shown } = element;
    if (shown === value || selectionStart === null || selectionEnd === null) return;
    const placeOf = (caret: number) => (shown.startsWith(value.slice(0, caret)) ? caret
      : Math.max(0, shown.length - (value.length - caret)));
    element.setSelectionRange(placeOf(selectionStart), placeOf(selectionEnd));
  };
}

/**
 * What a field does that is typed in.
 * @param text what is stored
 */
export function typedField(state: State, dispatch: Dispatch, field: Field, text: string) {
  const typed = typedIn(state, field);
  const before = typed ?? text;
  return {
    value: before,
    onInput: ({ target }: On<HTMLInputElement>) => dispatch({ type: 'type', field, before, text: target.value }),
    onBlur: () => typed !== null && whenReleased(() => dispatch({ type: 'leaveField' })),
  };
}

/**
 * A part that can be hidden, whose state is the page's. It changes with the click, also that of the keyboard: the event
 * `toggle` comes later, and what renders before it would set the element back.
 * @param action shows or hides the part, and renders
 */
export const disclosure = (
  id: string, title: string, isOpen: boolean, action: (isOpen: boolean) => void, content: Content,
) => {
  const onClick = (event: Event) => {
    event.preventDefault();
    action(!isOpen);
    // What opens is seen.
    if (!isOpen) setTimeout(() => document.getElementById(id)?.scrollIntoView({ block: 'nearest' }));
  };
  return html`<details id=${id} ?open=${live(isOpen)}>
    <summary @click=${onClick}>${title}</summary>
    ${content}
  </details>`;
};

/**
 * Radio buttons.
 * @param list values with their labels
 */
export const choices = <Value extends string>(
  name: string, legend: string, list: [Value, Content][], chosen: string, action: (value: Value) => void,
) =>
  html`<fieldset>
    <legend>${legend}</legend>
    <div class="choices">
      ${list.map(
        ([value, label]) =>
          html`<label class="choice"
            ><input type="radio" name=${name} value=${value} .checked=${value === chosen}
              @change=${() => action(value)} /><span
              >${label}</span
            ></label
          >`,
      )}
    </div>
  </fieldset>`;

/** The content of a dialog: its title, a button that closes it, and the rest. */
export const dialogContent = (title: string, dispatch: Dispatch, content: Content) =>
  html`<header>
      <h2 id="dialog-title">${title}</h2>
      ${iconButton('close', 'close', t('close'), () => dispatch({ type: 'close' }))}
    </header>
    ${content}`;

// ---- values and sides ----

const SYMBOLS = {
  win: 'M-6 4h12l-6-10z',
  draw: 'M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0',
  loss: 'M-6-4h12l-6 10z',
};

/** The symbol of a result, an SVG path of 12 by 12 units around the origin. */
export const symbol = (result: Result, properties: Record<string, string>) =>
  s('path', { d: SYMBOLS[result], ...properties });

/** A value as symbol, letter and number. Screen readers skip it: the caller adds valueText. */
export const chip = (value: Value, best: boolean) =>
  html`<span class="chip ${value.result} ${best ? 'best' : ''}" aria-hidden="true"
    ><svg viewBox="-6 -6 12 12"><path d=${SYMBOLS[value.result]} /></svg><b>${letterOf(value)}</b>${
      value.result === 'draw' ? nothing : html`<span>${countOf(value.plies)}</span>`
    }</span
  >`;

/** A side's piece as a small symbol. */
export const disc = (side: Side | 'none') => html`<span class="disc ${side}" aria-hidden="true"></span>`;

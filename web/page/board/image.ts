// Pictures of a position as files: the picture of the board with the styles of the page written into it, in its light
// colours, whatever the theme. Other programs read the SVG, so it has only what all of them know.

import { h, s } from '../dom.js';
import { Picture } from './picture.js';

import type { Scene, Shape } from '../state/types.js';

const SCALE = 2; // pixels of a PNG for each unit of the picture

/** The properties that the style sets, and the values that an element has without them. */
const PROPERTIES = {
  fill: 'rgb(0, 0, 0)',
  stroke: 'none',
  'stroke-width': '1px',
  'stroke-linecap': 'butt',
  'stroke-linejoin': 'miter',
  opacity: '1',
  'stop-color': 'rgb(0, 0, 0)',
  'stop-opacity': '1',
};
const OF_TEXT = { 'font-family': '', 'font-size': '', 'font-weight': '', 'text-anchor': 'start' };

/** A picture of the scene that does not change. */
export function stillPicture(scene: Scene, shape: Shape) {
  const picture = new Picture(shape);
  picture.draw(scene);
  return picture.element;
}

/** The attributes for a property: a colour is "#rrggbb", and its transparency is apart. */
function attributesFor(name: string, value: string): [string, string][] {
  const [, kind, list] = /^(rgba?|color)\((?:srgb )?(.*)\)$/.exec(value) ?? [];
  if (!list) return [[name, value.replace(/^url\("(.*)"\)$/, 'url($1)').replace(/^([\d.]+)px$/, '$1')]];
  const [red, green, blue, alpha = 1] = list.split(/[ ,/]+/).map(Number);
  const colour = [red, green, blue].map((part) => Math.round(kind === 'color' ? part * 255 : part));
  const opacity = name === 'stop-color' ? 'stop-opacity' : `${name}-opacity`;
  const translucent: [string, string][] = alpha < 1 ? [[opacity, String(alpha)]] : [];
  return [
    [name, `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`],
    ...translucent,
  ];
}

/** @param element which is in the page */
function writeStyle(element: SVGElement) {
  const computed = getComputedStyle(element);
  for (const [name, usual] of Object.entries({ ...PROPERTIES, ...(element.tagName === 'text' && OF_TEXT) })) {
    const value = computed.getPropertyValue(name);
    if (value !== usual) for (const [key, text] of attributesFor(name, value)) element.setAttribute(key, text);
  }
  const { transform } = element.style;
  if (transform) element.setAttribute('transform', transform.replaceAll('px', '').replace(',', ''));
}

/** The picture of a scene, as the text of an SVG file, and its size. */
export function svgOf(scene: Scene, shape: Shape) {
  const element = stillPicture(scene, shape);
  const place = h('div', { class: 'board still', hidden: true }, element);
  document.body.append(place);
  const parts = [...element.querySelectorAll<SVGElement>('*')];
  parts.forEach(writeStyle);
  for (const part of [element, ...parts])
    for (const name of ['class', 'style', 'aria-hidden', 'data-move']) part.removeAttribute(name);
  place.remove();
  const { width, height } = element.viewBox.baseVal;
  element.setAttribute('width', String(width));
  element.setAttribute('height', String(height));
  element.prepend(s('title', {}, scene.position));
  return { text: new XMLSerializer().serializeToString(element), width, height };
}

/** The same picture as a PNG file. */
export async function pngOf({ text, width, height }: ReturnType<typeof svgOf>): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: SCALE * width, height: SCALE * height });
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no memory for the picture'))), 'image/png'));
}

// What runs before the page has arrived: the language and the colours of what is seen first, and a message if a feature
// is missing or the file ends too early. It must run in browsers that are too old for all else.

declare global {
  /** load.ts has begun. */
  var hasBegun: boolean | undefined;
  /** Shows that the file is not as it should be. */
  var showDamage: () => void;
}

/** Shows a message, in both languages, in place of the page. */
function showFailure(english: string, japanese: string) {
  const message = document.getElementById('failure');
  const app = document.getElementById('app');
  if (!message || !app) return;
  message.innerHTML = '<h2>Neutreeko</h2><p></p><p lang="ja"></p>';
  const texts = message.getElementsByTagName('p');
  texts[0].textContent = english;
  texts[1].textContent = japanese;
  message.className = 'failure now';
  app.hidden = true;
}

/** What the page needs and the browser lacks. All of it is in Chrome 123, Edge 123, Firefox 120 and Safari 17.5. */
function missingFeatures() {
  const missing = ['DecompressionStream'].filter((name) => !(name in globalThis));
  if (!CSS.supports('color', 'light-dark(#000, #fff)')) missing.push('light-dark()'); // it has the colours
  return missing.concat(['findLast', 'toSpliced', 'with'].filter((name) => !(name in Array.prototype)));
}

/** Whether the browser runs WebAssembly: Lockdown Mode and some policies switch that off. */
function runsWasm() {
  try {
    return Boolean(new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])));
  } catch {
    return false;
  }
}

const QUIET = 15; // seconds

/**
 * Says, in place of the words for loading, that nothing more of the file arrives: a browser does not report that a
 * connection is lost.
 */
function watchLoading() {
  const [{ scripts }, places] = [document, document.querySelectorAll<HTMLElement>('.loading')];
  const loading = Array.from(places, (place) => place.textContent);
  const stopped = [`Nothing has arrived for ${QUIET} seconds. Please reload the page.`,
    `${QUIET}秒間、データが届いていません。ページを再読み込みしてください。`];
  let [before, quiet] = ['', 0];
  const watch = setInterval(() => {
    if (globalThis.hasBegun) return clearInterval(watch);
    const arrived = `${scripts.length} ${scripts[scripts.length - 1].text.length}`; // nearly all of the file
    quiet = arrived === before ? quiet + 1 : 0;
    before = arrived;
    places.forEach((place, n) => {
      place.textContent = (quiet < QUIET ? loading : stopped)[n];
      place.style.cssText = quiet < QUIET ? '' : 'position: static; visibility: visible; animation: none';
    });
    // Firefox ends an incomplete document without the event `load`.
    if (document.readyState === 'loading' || quiet < 3) return undefined;
    clearInterval(watch);
    return globalThis.showDamage();
  }, 1000);
}

/** Has the page, which may have been saved in any state, as it is before it starts. */
function prepare() {
  const root = document.documentElement;
  let stored: { language?: unknown; theme?: unknown } = {};
  let hasGame = false;
  try {
    stored = JSON.parse(localStorage.getItem('neutreeko') || '{}') || {};
    hasGame = Boolean(sessionStorage.getItem('neutreeko-game') || localStorage.getItem('neutreeko-game'));
  } catch {
    // Nothing can be read.
  }
  const asked = /[?&]lang=(en|ja)/.exec(location.search);
  const usual = /^ja/.test(navigator.language) ? 'ja' : 'en';
  root.lang = asked ? asked[1] : ['en', 'ja'].find((language) => language === stored.language) || usual;
  const theme = ['light', 'dark'].find((name) => name === stored.theme);
  if (theme) root.setAttribute('data-theme', theme);
  const app = document.getElementById('app');
  const message = document.getElementById('failure');
  if (!app || !message) return;
  app.hidden = false;
  message.className = 'failure';
  if (!app.classList.contains('first')) app.textContent = ''; // what was saved lacks its style attributes
  if (hasGame || location.hash.length > 1) app.classList.add('other');
  if (/view=board/.test(location.hash)) app.classList.add('embedded');
}

globalThis.hasBegun = false;
globalThis.showDamage = () =>
  showFailure('This file is incomplete or was changed. Please reload the page, or download the file again.',
    'ファイルが不完全か、変更されています。再読み込みするか、もう一度ダウンロードしてください。');
prepare();
const missing = missingFeatures();
if (missing.length > 0)
  showFailure(
    `This browser is too old for Neutreeko: it lacks ${missing.join(', ')}. Please open the page in a current ` +
      'version of Chrome, Edge, Firefox or Safari.',
    `お使いのブラウザーは古いため動作しません（${missing.join('、')}）。` +
      '最新の Chrome、Edge、Firefox、Safari でお開きください。');
else if (!runsWasm())
  showFailure(
    'WebAssembly is switched off in this browser, and Neutreeko needs it. On an iPhone, iPad or Mac in Lockdown ' +
      'Mode, turn that off for this website; otherwise ask who manages this device.',
    'このブラウザーでは WebAssembly が無効になっているため動作しません。' +
      'ロックダウンモードの iPhone、iPad、Mac では、このサイトだけ解除してください。' +
      'それ以外の場合は、端末の管理者にお問い合わせください。');
// Before this event, more of the file may still come.
else {
  addEventListener('load', () => globalThis.hasBegun || globalThis.showDamage());
  watchLoading();
}

export {};

// What is remembered on this device. Storage may be missing or forbidden: then it lasts as long as the page.

const STORE = 'neutreeko';

const defaults = {
  language: (navigator.language ?? '').startsWith('ja') ? 'ja' : 'en',
  theme: 'auto',
  explore: false,
  flip: false,
  keys: true,
  black: 'human',
  white: 'level:4',
  puzzle: '',
  streak: 0,
  bestStreak: 0,
};

/** The settings; whatever is stored wrongly is as if it were not there. */
export function loadSettings() {
  const settings = { ...defaults };
  try {
    const stored = JSON.parse(localStorage.getItem(STORE)) ?? {};
    for (const name of Object.keys(defaults))
      if (typeof stored[name] === typeof defaults[name]) settings[name] = stored[name];
  } catch {
    /* nothing is remembered */
  }
  return settings;
}

export function saveSettings(settings) {
  try {
    localStorage.setItem(STORE, JSON.stringify(settings));
  } catch {
    /* nothing can be remembered */
  }
}

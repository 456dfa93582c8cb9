// The settings, stored on this device. Without access to storage they last as long as the page.

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

/** Loads the settings. A missing or invalid one has its default. */
export function loadSettings() {
  const settings = { ...defaults };
  try {
    const stored = JSON.parse(localStorage.getItem(STORE)) ?? {};
    for (const name of Object.keys(defaults))
      if (typeof stored[name] === typeof defaults[name]) settings[name] = stored[name];
  } catch {
    /* storage is unavailable or invalid */
  }
  return settings;
}

export function saveSettings(settings) {
  try {
    localStorage.setItem(STORE, JSON.stringify(settings));
  } catch {
    /* storage is unavailable */
  }
}

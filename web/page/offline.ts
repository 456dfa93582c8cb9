// Has the site work offline.

/**
 * Registers what keeps the page, if possible: a frame may have no access, and a server may lack the file. Only the site
 * has a manifest, see site.mjs.
 * @param onNewVersion called when the next visit will show another version
 */
export async function workOffline(onNewVersion: () => void) {
  if (!document.querySelector('link[rel=manifest]')) return;
  try {
    const { serviceWorker } = navigator;
    if (serviceWorker.controller) serviceWorker.addEventListener('controllerchange', onNewVersion);
    await serviceWorker.register('sw.js');
  } catch {
    /* The page works without. */
  }
}

import type { Platform } from './platform.js';

export const browserPlatform: Platform = {
  env: () => undefined,
  // The site that the page came from.
  defaultUrl: '',
  open: (path) =>
    Promise.reject(new TypeError(`"${path}" is a path, which only Node can open; give a Blob, a File or bytes.`)),
  save: async (target, _name, body) => {
    const url = URL.createObjectURL(await new Response(body).blob());
    const link = Object.assign(document.createElement('a'), { href: url, download: target });
    link.click();
    // The download has its own reference to the data by then.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
    return target;
  },
};

export { ChromiumHtmlToPdf } from './html-to-pdf.js';
export { WarmBrowser, type WarmBrowserParts } from './warm-browser.js';

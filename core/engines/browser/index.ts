export { ChromiumHtmlToPdf } from './html-to-pdf.js';
export { WarmBrowser, type WarmBrowserDeps } from './warm-browser.js';

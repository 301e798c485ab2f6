export { ChromiumHtmlToPdf } from './html-to-pdf.js';
export { WarmBrowser } from './warm-browser.js';

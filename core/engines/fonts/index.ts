export { letAllRead } from './let-all-read.js';
export { fontsForOffice, fontsForPages, type PreparedFonts } from './prepare-fonts.js';

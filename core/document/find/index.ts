export { compileFault, type SearchLimits, type SearchTerm, type TextMatch, TextSearch } from './text-search.js';
export { finderOf } from './finder.js';
export { findOnPage, glyphsOfMatch, type PageFindings, searchPdfiumText, type SecondReading } from './find-on-page.js';
export { type FoundLine, type FoundText, linesAround } from './found-text.js';
export { type GlyphPlace, type PageGlyph, pageGlyphs, quadAlong } from './page-glyphs.js';
export { pageReadings, type PageReadings } from './page-readings.js';
export { type PdfiumPageText, withPdfiumText } from './pdfium-text.js';
export { PatternError } from './pattern-error.js';
export { type Reading, readingOf, type TextPiece } from './reading.js';

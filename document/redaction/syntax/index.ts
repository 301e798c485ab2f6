export { cleanContent } from './clean-content.js';
export { cleanContentStreams } from './clean-content-streams.js';
export { ByteTerms } from './byte-terms.js';
export { cleanImages } from './clean-images.js';
export { dropFoundIdentifier } from './file-identifier.js';
export { cleanFontPrograms } from './font-programs.js';
export { emptyGlyphProcedures } from './glyph-procedures.js';
export { renameNames } from './rename-names.js';

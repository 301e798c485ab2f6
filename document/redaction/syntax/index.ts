export { cleanContent } from './clean-content.js';
export { cleanContentStreams } from './clean-content-streams.js';
export { dropFoundIdentifier } from './file-identifier.js';
export { cleanFontPrograms } from './font-programs.js';
export { emptyGlyphProcedures } from './glyph-procedures.js';
export { renameNames } from './rename-names.js';

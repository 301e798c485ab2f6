import type { KnownKey } from '../known-key.js';

/** Text editor. */
export const editorKeys = [
  {
    path: 'pdfEditor.fallback-font',
    type: 'string',
    default: '',
    fileOnly: true,
    acts: true,
    meaning:
      'absolute path of a TrueType font (.ttf) for new text that the font of the document cannot show; then, and ' +
      'without one, the built-in fonts',
  },
  {
    path: 'pdfEditor.cache.max-bytes',
    type: 'integer',
    default: -1,
    min: -1,
    acts: true,
    meaning: 'most bytes of documents in editing sessions, which are kept on disk; -1 or 0: max-percent',
  },
  {
    path: 'pdfEditor.cache.max-percent',
    type: 'integer',
    default: 20,
    min: -1,
    acts: true,
    meaning:
      'share of the volume of the temporary folder that documents in editing sessions may take, at most 10 GB; the ' +
      'oldest sessions end first',
  },
  {
    path: 'pdfEditor.font-normalization.enabled',
    type: 'boolean',
    default: false,
    acts: false,
    instead: 'The editor reads every embedded font as it is and needs no normalised copy of the document first.',
    meaning: 'normalise fonts first',
  },
  {
    path: 'pdfEditor.cff-converter.enabled',
    type: 'boolean',
    default: true,
    acts: false,
    instead:
      'CFF fonts are always made loadable for browsers, by the server itself and without copying the ' + 'document.',
    meaning: 'wrap CFF fonts for browsers',
  },
  {
    path: 'pdfEditor.cff-converter.method',
    type: 'string',
    default: 'python',
    allowed: ['python', 'fontforge'],
    acts: false,
    instead: 'The server makes CFF fonts loadable for browsers itself; no Python or FontForge is needed.',
    meaning: 'how',
  },
  {
    path: 'pdfEditor.cff-converter.python-command',
    type: 'string',
    default: '',
    fileOnly: true,
    acts: false,
    instead: 'The server makes CFF fonts loadable for browsers itself and runs no Python.',
    meaning: 'interpreter',
  },
  {
    path: 'pdfEditor.cff-converter.python-script',
    type: 'string',
    default: '',
    fileOnly: true,
    acts: false,
    instead: 'The server makes CFF fonts loadable for browsers itself and runs no script.',
    meaning: 'wrapping script',
  },
  {
    path: 'pdfEditor.cff-converter.fontforge-command',
    type: 'string',
    default: 'fontforge',
    fileOnly: true,
    acts: false,
    instead: 'The server makes CFF fonts loadable for browsers itself and runs no FontForge.',
    meaning: 'FontForge program',
  },
  {
    path: 'pdfEditor.type3.library.enabled',
    type: 'boolean',
    default: true,
    acts: false,
    instead:
      'Glyphs of Type 3 fonts are kept as the drawings that they are, so no library of look-alikes is ' +
      'needed; new text that such a font cannot show is set in pdfEditor.fallback-font.',
    meaning: 'match Type 3 fonts to a library',
  },
  {
    path: 'pdfEditor.type3.library.index',
    type: 'string',
    default: '',
    fileOnly: true,
    acts: false,
    instead:
      'Glyphs of Type 3 fonts are kept as the drawings that they are, so no library of look-alikes is ' +
      'needed; new text that such a font cannot show is set in pdfEditor.fallback-font.',
    meaning: 'library index',
  },
] as const satisfies readonly KnownKey[];

/**
 * Filters by their abbreviations, which belong to inline images (ISO 32000-1, table 94) but are accepted by readers in
 * all streams.
 */
export const LONG_FILTERS: ReadonlyMap<string, string> = new Map([
  ['AHx', 'ASCIIHexDecode'],
  ['A85', 'ASCII85Decode'],
  ['LZW', 'LZWDecode'],
  ['Fl', 'FlateDecode'],
  ['RL', 'RunLengthDecode'],
  ['CCF', 'CCITTFaxDecode'],
  ['DCT', 'DCTDecode'],
]);

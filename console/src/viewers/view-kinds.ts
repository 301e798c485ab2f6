/** What a file can be shown as. */
export type ViewKind = 'pdf' | 'image' | 'json' | 'text' | 'other';

/** More text than this would make the page slow. */
export const MOST_TEXT_BYTES = 2_000_000;

const extensions: Readonly<Record<string, ViewKind>> = {
  pdf: 'pdf',
  png: 'image',
  jpg: 'image',
  jpeg: 'image',
  gif: 'image',
  webp: 'image',
  avif: 'image',
  svg: 'image',
  bmp: 'image',
  json: 'json',
  txt: 'text',
  md: 'text',
  csv: 'text',
  xml: 'text',
  html: 'text',
  jsonl: 'text',
  js: 'text',
};

/** Chooses the viewer by the name, then by the media type. */
export function kindOf(blob: Blob, name: string): ViewKind {
  const known = extensions[/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''];
  if (known !== undefined) return known === 'json' && blob.size > MOST_TEXT_BYTES ? 'text' : known;
  if (blob.type === 'application/pdf') return 'pdf';
  if (/json/.test(blob.type)) return 'json';
  if (/^text\//.test(blob.type)) return 'text';
  return /^image\/(png|jpeg|gif|webp|avif|svg\+xml|bmp)/.test(blob.type) ? 'image' : 'other';
}

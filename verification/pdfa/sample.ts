import type { CorpusFile } from '../corpus/corpus-files.js';

/** Features by their names in the manifest that make conversion to PDF/A difficult or lossy. */
const FEATURES = [
  'group-transparency',
  'smask',
  'acroform',
  'field-tx',
  'field-btn',
  'embedded-files',
  'ocg',
  'tagged',
  'jpx',
  'outlines',
  'annot-link',
  'cjk-cmap',
  'rotate',
  'type3-font',
  'separation',
  'devicen',
  'annot-highlight',
  'annot-freetext',
  'embedded-font',
  'cid-font',
  'lzw',
  'shading',
  'javascript',
  'userunit',
  'page-labels',
  'icc',
  'xmp',
  'jbig2',
] as const;

/**
 * Returns `each` good files of each feature, and twice as many without embedded fonts; small files, in the order of the
 * manifest, spread over it.
 */
export function sampleByFeatures(files: readonly CorpusFile[], each: number): CorpusFile[] {
  const fit = files.filter(
    ({ fileClass, encrypted, signed, pages = 1, size = 0, features = [], name }) =>
      fileClass === 'good' &&
      !encrypted &&
      !signed &&
      pages <= 12 &&
      size < 1_500_000 &&
      !features.some((feature) => feature.startsWith('pdfa-')) &&
      !/verapdf|isartor/i.test(name),
  );
  const chosen = new Set<CorpusFile>();
  const take = (count: number, fits: (features: readonly string[]) => boolean): void => {
    const all = fit.filter((file) => !chosen.has(file) && fits(file.features ?? []));
    const step = Math.max(1, Math.floor(all.length / count));
    for (let i = 0, taken = 0; i < all.length && taken < count; i += step, taken++) chosen.add(all[i]!);
  };
  take(each * 2, (features) => !features.includes('embedded-font') && !features.includes('no-text'));
  for (const feature of FEATURES) take(each, (features) => features.includes(feature));
  return [...chosen];
}

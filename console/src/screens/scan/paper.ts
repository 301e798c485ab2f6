export type Paper = 'A4' | 'LETTER';

/** Regions where paper is Letter (CLDR 48, supplemental data: paperSize). */
const LETTER_REGIONS: ReadonlySet<string> = new Set('BZ CA CL CO CR GT MX NI PA PH PR SV US VE'.split(' '));

/** The paper of the first of the browser's languages that names a region; A4 where none does. */
export function usualPaper(languages: readonly string[]): Paper {
  const region = languages.map((tag) => new Intl.Locale(tag).region).find((each) => each !== undefined);
  return region !== undefined && LETTER_REGIONS.has(region) ? 'LETTER' : 'A4';
}

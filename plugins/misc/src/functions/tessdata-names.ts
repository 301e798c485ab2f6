/**
 * Languages with Tesseract data (its manual page, LANGUAGES AND SCRIPTS), without the models for orientation, formulas
 * and whole scripts.
 */
export const tessdataNames: readonly string[] = (
  'afr amh ara asm aze aze_cyrl bel ben bod bos bre bul cat ceb ces chi_sim chi_sim_vert chi_tra chi_tra_vert ' +
  'chr cos cym dan deu div dzo ell eng enm epo est eus fao fas fil fin fra frk frm fry gla gle glg grc guj hat ' +
  'heb hin hrv hun hye iku ind isl ita ita_old jav jpn jpn_vert kan kat kat_old kaz khm kir kmr kor kor_vert ' +
  'lao lat lav lit ltz mal mar mkd mlt mon mri msa mya nep nld nor oci ori pan pol por pus que ron rus san sin ' +
  'slk slv snd spa spa_old sqi srp srp_latn sun swa swe syr tam tat tel tgk tha tir ton tur uig ukr urd uzb ' +
  'uzb_cyrl vie yid yor'
).split(' ');

/** True for a valid language name: it becomes part of a URL and a file name. */
export function isTessdataName(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9]{1,19}(_[A-Za-z0-9]{1,20}){0,3}$/.test(text);
}

/** Maximum number of parts in a language data file; Tesseract knows 24. */
const MAX_PARTS = 64;

/**
 * True for the beginning of a language data file: the number of parts, then the offset of each (int32, then int64 each,
 * little-endian; -1 if absent), all behind this table and within the file. Rejects error pages sent with status 200.
 * `size` is the size of the whole file in bytes.
 */
export function isTessdata(head: Uint8Array, size: number): boolean {
  if (head.length < 4) return false;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const parts = view.getInt32(0, true);
  const table = 4 + parts * 8;
  if (parts < 1 || parts > MAX_PARTS || head.length < table) return false;
  const places = Array.from({ length: parts }, (_, i) => view.getBigInt64(4 + i * 8, true));
  return (
    places.some((place) => place >= 0n) &&
    places.every((place) => place === -1n || (place >= BigInt(table) && place <= BigInt(size)))
  );
}

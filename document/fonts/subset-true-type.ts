import { dropTables, runSubsetter, startSubsetter } from './harfbuzz-subsetter.js';

/** Glyphs keep their numbers, which the PDF refers to, and .notdef keeps its shape. */
const FLAGS = 0x2 | 0x40;
/** Tables that PDF readers ignore (ISO 32000-1, 9.9): layout is done, names are the PDF's. */
const DROPPED = [
  'GSUB',
  'GPOS',
  'GDEF',
  'BASE',
  'JSTF',
  'kern',
  'morx',
  'mort',
  'kerx',
  'DSIG',
  'name',
  'meta',
  'gasp',
  'VDMX',
  'hdmx',
  'LTSH',
  'PCLT',
];

/**
 * Removes the outlines of all glyphs except the given ones (and those that they are composed of) from a TrueType font
 * program. Glyphs keep their numbers. Returns undefined when HarfBuzz cannot read the program.
 */
export async function subsetTrueType(program: Uint8Array, glyphs: Iterable<number>): Promise<Uint8Array | undefined> {
  const engine = await startSubsetter();
  try {
    return runSubsetter(engine, program, (input) => {
      engine.hb_subset_input_set_flags(input, FLAGS);
      dropTables(engine, input, DROPPED);
      const kept = engine.hb_subset_input_glyph_set(input);
      for (const glyph of glyphs) engine.hb_set_add(kept, glyph);
    });
  } catch (error) {
    // Compared by name, because the WebAssembly types are missing.
    if (error instanceof Error && error.name === 'RuntimeError') return undefined;
    throw error;
  }
}

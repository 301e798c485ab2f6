import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** HarfBuzz' subsetter as a WebAssembly module without imports. */
interface Subsetter {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly _initialize?: () => void;
  malloc(size: number): number;
  free(at: number): void;
  hb_blob_create(data: number, length: number, mode: number, user: number, destroy: number): number;
  hb_blob_destroy(blob: number): void;
  hb_blob_get_data(blob: number, length: number): number;
  hb_blob_get_length(blob: number): number;
  hb_face_create(blob: number, index: number): number;
  hb_face_destroy(face: number): void;
  hb_face_reference_blob(face: number): number;
  hb_set_add(set: number, value: number): void;
  hb_subset_input_create_or_fail(): number;
  hb_subset_input_destroy(input: number): void;
  hb_subset_input_glyph_set(input: number): number;
  hb_subset_input_set(input: number, kind: number): number;
  hb_subset_input_set_flags(input: number, flags: number): void;
  hb_subset_or_fail(face: number, input: number): number;
}

const WRITABLE = 2;
/** Glyphs keep their numbers, which the PDF refers to, and .notdef keeps its shape. */
const FLAGS = 0x2 | 0x40;
const DROPPED_TABLES = 3;
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

/** The types of WebAssembly belong to the DOM library; only this part is used here. */
const wasm = (
  globalThis as unknown as {
    readonly WebAssembly: {
      compile(bytes: Uint8Array): Promise<object>;
      instantiate(module: object): Promise<{ readonly exports: unknown }>;
    };
  }
).WebAssembly;

let compiled: Promise<object> | undefined;

/**
 * Removes the outlines of all glyphs except the given ones (and those that they are composed of) from a TrueType font
 * program. Glyphs keep their numbers. Returns undefined when HarfBuzz cannot read the program.
 */
export async function subsetTrueType(program: Uint8Array, glyphs: Iterable<number>): Promise<Uint8Array | undefined> {
  compiled ??= readFile(createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz-subset.wasm')).then((bytes) =>
    wasm.compile(bytes),
  );
  // One instance per font, so that a broken font leaves nothing behind.
  const engine = (await wasm.instantiate(await compiled)).exports as Subsetter;
  engine._initialize?.();
  try {
    return subsetIn(engine, program, glyphs);
  } catch (error) {
    // Compared by name, because the WebAssembly types are missing.
    if (error instanceof Error && error.name === 'RuntimeError') return undefined;
    throw error;
  }
}

function subsetIn(engine: Subsetter, program: Uint8Array, glyphs: Iterable<number>): Uint8Array | undefined {
  const data = engine.malloc(program.length);
  if (data === 0) return undefined;
  new Uint8Array(engine.memory.buffer).set(program, data);
  const face = engine.hb_face_create(engine.hb_blob_create(data, program.length, WRITABLE, 0, 0), 0);
  const input = engine.hb_subset_input_create_or_fail();
  if (input === 0) return undefined;
  engine.hb_subset_input_set_flags(input, FLAGS);
  const dropped = engine.hb_subset_input_set(input, DROPPED_TABLES);
  for (const tag of DROPPED) engine.hb_set_add(dropped, Buffer.from(tag, 'latin1').readUInt32BE());
  const kept = engine.hb_subset_input_glyph_set(input);
  for (const glyph of glyphs) engine.hb_set_add(kept, glyph);
  const subset = engine.hb_subset_or_fail(face, input);
  if (subset === 0) return undefined;
  const blob = engine.hb_face_reference_blob(subset);
  const length = engine.hb_blob_get_length(blob);
  const at = engine.hb_blob_get_data(blob, 0);
  return length === 0 ? undefined : new Uint8Array(engine.memory.buffer).slice(at, at + length);
}

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** HarfBuzz' subsetter as a WebAssembly module without imports. */
export interface Subsetter {
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
  hb_subset_input_keep_everything(input: number): void;
  hb_subset_input_pin_axis_location(input: number, face: number, axis: number, value: number): number;
  hb_subset_or_fail(face: number, input: number): number;
}

/** The types of WebAssembly belong to the DOM library; only this part is used here. */
const wasm = (
  globalThis as unknown as {
    readonly WebAssembly: {
      compile(bytes: Uint8Array): Promise<object>;
      instantiate(module: object): Promise<{ readonly exports: unknown }>;
    };
  }
).WebAssembly;

const WRITABLE = 2;
const DROPPED_TABLES = 3;

let compiled: Promise<object> | undefined;

/** A new instance, which is dropped with its font, so that a broken font leaves nothing behind. */
export async function startSubsetter(): Promise<Subsetter> {
  compiled ??= readFile(createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz-subset.wasm')).then((bytes) =>
    wasm.compile(bytes),
  );
  const engine = (await wasm.instantiate(await compiled)).exports as Subsetter;
  engine._initialize?.();
  return engine;
}

/** Subsets a font program as `choose` says; undefined when HarfBuzz cannot read it. */
export function runSubsetter(
  engine: Subsetter,
  program: Uint8Array,
  choose: (input: number, face: number) => void,
): Uint8Array | undefined {
  const data = engine.malloc(program.length);
  if (data === 0) return undefined;
  new Uint8Array(engine.memory.buffer).set(program, data);
  const face = engine.hb_face_create(engine.hb_blob_create(data, program.length, WRITABLE, 0, 0), 0);
  const input = engine.hb_subset_input_create_or_fail();
  if (input === 0) return undefined;
  choose(input, face);
  const subset = engine.hb_subset_or_fail(face, input);
  if (subset === 0) return undefined;
  const blob = engine.hb_face_reference_blob(subset);
  const length = engine.hb_blob_get_length(blob);
  const at = engine.hb_blob_get_data(blob, 0);
  return length === 0 ? undefined : new Uint8Array(engine.memory.buffer).slice(at, at + length);
}

/** Tells HarfBuzz to leave tables out. */
export function dropTables(engine: Subsetter, input: number, tags: readonly string[]): void {
  const dropped = engine.hb_subset_input_set(input, DROPPED_TABLES);
  for (const tag of tags) engine.hb_set_add(dropped, tagNumber(tag));
}

/** A tag of four letters, as HarfBuzz takes it. */
export const tagNumber = (tag: string): number => Buffer.from(tag, 'latin1').readUInt32BE();

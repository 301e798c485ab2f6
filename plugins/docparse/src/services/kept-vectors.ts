/** Vectors of the chunks of a sheet, in their order. */
export interface VectorSheet {
  /** That of the sheet. */
  readonly id: string;
  readonly version: string;
  readonly model: string;
  /** Numbers of each vector. */
  readonly dimensions: number;
  /** Base64 of one signed byte for each number: only directions count, and a byte holds them well enough. */
  readonly vectors: string;
}

/** Encodes the vectors of a sheet for storage. */
export function packVectors(vectors: readonly Float32Array[]): Pick<VectorSheet, 'dimensions' | 'vectors'> {
  const dimensions = vectors[0]?.length ?? 0;
  const bytes = new Int8Array(dimensions * vectors.length);
  for (const [i, vector] of vectors.entries()) {
    const largest = vector.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
    if (largest > 0)
      for (const [j, number] of vector.entries()) bytes[i * dimensions + j] = Math.round((number / largest) * 127);
  }
  return { dimensions, vectors: Buffer.from(bytes.buffer).toString('base64') };
}

/**
 * How near each of the vectors is to another one, as the cosine of the angle between them; empty where they are of
 * another length.
 */
export function nearness(
  { dimensions, vectors }: Pick<VectorSheet, 'dimensions' | 'vectors'>,
  to: Float32Array,
): number[] {
  if (dimensions !== to.length || dimensions === 0) return [];
  const bytes = Buffer.from(vectors, 'base64');
  const kept = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  const length = Math.sqrt(to.reduce((sum, number) => sum + number * number, 0));
  return Array.from({ length: Math.floor(kept.length / dimensions) }, (_, i) => {
    let [product, square] = [0, 0];
    for (let j = 0; j < dimensions; j++) {
      const number = kept[i * dimensions + j]!;
      product += number * to[j]!;
      square += number * number;
    }
    return square === 0 || length === 0 ? 0 : product / (Math.sqrt(square) * length);
  });
}

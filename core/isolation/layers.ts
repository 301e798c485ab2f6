/** Kinds of confinement (README.md). */
export const layerNames = ['permissions', 'namespaces', 'files', 'limits', 'user'] as const;
/** One kind of confinement. */
export type Layer = (typeof layerNames)[number];

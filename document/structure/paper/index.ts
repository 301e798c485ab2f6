const MM = 72 / 25.4;
const iso = (width: number, height: number): readonly [number, number] => [width * MM, height * MM];

/** Paper sizes by name, in portrait orientation: width and height in points (ISO 216; ANSI/ASME Y14.1). */
export const paperSizes = {
  A0: iso(841, 1189),
  A1: iso(594, 841),
  A2: iso(420, 594),
  A3: iso(297, 420),
  A4: iso(210, 297),
  A5: iso(148, 210),
  A6: iso(105, 148),
  Letter: [612, 792],
  Legal: [612, 1008],
  Tabloid: [792, 1224],
} as const satisfies Readonly<Record<string, readonly [number, number]>>;

/** A name in `paperSizes`. */
export type PaperName = keyof typeof paperSizes;

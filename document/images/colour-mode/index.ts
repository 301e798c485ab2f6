import type { Sharp } from 'sharp';

export type ColourMode = 'color' | 'greyscale' | 'blackwhite';

const BLACK_BELOW = 128;

/** Applies a colour mode: luma for grey, a threshold at half for black and white. */
export function coloured(image: Sharp, colour: ColourMode): Sharp {
  if (colour === 'greyscale') return image.greyscale().toColourspace('b-w');
  if (colour === 'blackwhite') return image.greyscale().threshold(BLACK_BELOW).toColourspace('b-w');
  return image;
}

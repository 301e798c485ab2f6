// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface AddScannerEffectOptions {
  /** Quality of the scanner. Default: high. */
  readonly quality?: 'low' | 'medium' | 'high';
  /** How skewed the sheets are: 0, 2, 5 or 8 degrees. Default: slight. */
  readonly rotation?: 'none' | 'slight' | 'moderate' | 'severe';
  /** Colours of the scan. Default: grayscale. */
  readonly colorspace?: 'grayscale' | 'color';
  /**
   * Width in pixels of the border around the sheet (the scanner's lid). Whole number from 0 to 10000 px. Default: 20.
   */
  readonly border?: number;
  /** Degrees clockwise to add to the skew of rotation. Whole number from -360 to 360 °. Default: 0. */
  readonly rotate?: number;
  /**
   * Maximum random variation of the skew between sheets, in degrees to either side. Whole number from 0 to 360 °.
   * Default: 2.
   */
  readonly rotateVariance?: number;
  /** Brightness factor; used with advancedEnabled only. From 0 to 10. Default: 1. */
  readonly brightness?: number;
  /** Contrast factor; used with advancedEnabled only. From 0 to 10. Default: 1. */
  readonly contrast?: number;
  /** Blur in pixels; used with advancedEnabled only. From 0 to 100 px. Default: 1. */
  readonly blur?: number;
  /** Amount of noise, from 0 to 255; used with advancedEnabled only. From 0 to 255. Default: 8. */
  readonly noise?: number;
  /** Tint the paper yellowish, like old paper. Default: false. */
  readonly yellowish?: boolean;
  /** Dots per inch, at least 72; used with advancedEnabled only. Whole number from 1 dpi. Default: 300. */
  readonly resolution?: number;
  /** Use blur, noise, brightness, contrast and resolution as sent. Default: false. */
  readonly advancedEnabled?: boolean;
}

export interface AddScannerEffect {
  /**
   * Make a PDF look scanned.
   *
   * Each page becomes one image of the same page size. Bookmarks, links, page labels, attachments and metadata stay;
   * text is removed. Every run gives a slightly different result.
   *
   * Blur, noise, brightness, contrast and resolution come from `quality` unless `advancedEnabled` is set; the other
   * fields always apply. Pages are rendered with at most 8192 pixels per side and 16777216 in total: large pages get
   * a lower resolution, but never below 72 dpi.
   *
   * POST /api/v1/misc/scanner-effect
   */
  addScannerEffect(file: Input, options?: AddScannerEffectOptions, call?: CallOptions): Promise<FileResult>;
}

/** One byte for each pixel, rows from the top without gaps. */
export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

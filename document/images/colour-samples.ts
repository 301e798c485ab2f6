import { type PDFContext, type PDFDict, PDFRawStream } from 'pdf-lib';
import { asDict, asName, asNumber, dictOf, elements, entry, isString, resolve } from '../file/objects/index.js';
import { decodeFront } from '../file/reader/index.js';

/** The new value of pixels: a colour in DeviceRGB, 0 to 1, or for stencil masks all painted or all unpainted. */
export type Repaint = readonly [number, number, number] | 'painted' | 'unpainted';

const COMPONENTS: Readonly<Record<string, number>> = {
  DeviceGray: 1,
  G: 1,
  CalGray: 1,
  Indexed: 1,
  I: 1,
  Separation: 1,
  DeviceRGB: 3,
  RGB: 3,
  CalRGB: 3,
  Lab: 3,
  DeviceCMYK: 4,
  CMYK: 4,
};

/** The number of components in the image's colour space; undefined for an invalid one. */
export function componentsOf(context: PDFContext, dict: PDFDict): number | undefined {
  const value = entry(dict, 'ColorSpace');
  const [kind, second] = elements(context, value);
  const name = asName(context, value) ?? asName(context, kind) ?? '';
  if (name === 'ICCBased') {
    const profile = asDict(context, second);
    return profile === undefined ? undefined : asNumber(context, entry(profile, 'N'));
  }
  return name === 'DeviceN' ? elements(context, second).length : COMPONENTS[name];
}

/** The sample closest to a colour in the colour space of an image and under its /Decode (ISO 32000-1, 8.9.5.2). */
export function colourSample(
  context: PDFContext,
  dict: PDFDict,
  repaint: Repaint,
  bits: number,
  components: number,
): readonly number[] {
  const most = 2 ** bits - 1;
  const decode = elements(context, entry(dict, 'Decode')).map((value) => asNumber(context, value) ?? 0);
  const sample = (value: number, component: number, low: number, high: number): number => {
    const [from = low, to = high] = [decode[2 * component], decode[2 * component + 1]];
    return from === to ? 0 : Math.min(most, Math.max(0, Math.round(((value - from) / (to - from)) * most)));
  };
  if (typeof repaint === 'string')
    return Array.from({ length: components }, (_none, i) => sample(repaint === 'painted' ? 0 : 1, i, 0, 1));
  const space = entry(dict, 'ColorSpace');
  const list = elements(context, space);
  const name = asName(context, space) ?? asName(context, list[0]) ?? '';
  if (name === 'Indexed' || name === 'I') return [sample(nearest(context, list, repaint, most), 0, 0, most)];
  const [red, green, blue] = repaint;
  const light = 0.299 * red + 0.587 * green + 0.114 * blue;
  if (name === 'Lab') {
    const range = elements(context, entry(asDict(context, list[1]) ?? dict, 'Range')).map(
      (value) => asNumber(context, value) ?? 0,
    );
    return [
      sample(light * 100, 0, 0, 100),
      sample(0, 1, range[0] ?? -100, range[1] ?? 100),
      sample(0, 2, range[2] ?? -100, range[3] ?? 100),
    ];
  }
  if (name === 'Separation' || name === 'DeviceN')
    return Array.from({ length: components }, (_none, i) => sample(light < 0.5 ? 1 : 0, i, 0, 1));
  return inSpace(repaint, light, components).map((value, i) => sample(value, i, 0, 1));
}

function inSpace([red, green, blue]: readonly [number, number, number], light: number, components: number): number[] {
  if (components === 3) return [red, green, blue];
  if (components !== 4) return Array.from({ length: components }, () => light);
  const black = 1 - Math.max(red, green, blue);
  return black === 1 ? [0, 0, 0, 1] : [...[red, green, blue].map((value) => (1 - value - black) / (1 - black)), black];
}

/** The index of the nearest palette colour. */
function nearest(
  context: PDFContext,
  [, base, , table]: ReturnType<typeof elements>,
  colour: readonly [number, number, number],
  most: number,
): number {
  const bytes = tableBytes(context, table);
  const count = componentsOf(context, dictOf(context, { ColorSpace: base }));
  if (bytes === undefined || (count !== 1 && count !== 3 && count !== 4)) return 0;
  let [best, distance] = [0, Infinity];
  for (let i = 0; i <= most && (i + 1) * count <= bytes.length; i++) {
    const values = [...bytes.subarray(i * count, (i + 1) * count)].map((value) => value / 255);
    const key = values[3] ?? 0;
    const rgb =
      count === 1
        ? [values[0]!, values[0]!, values[0]!]
        : count === 3
          ? values
          : values.slice(0, 3).map((value) => (1 - value) * (1 - key));
    const off = rgb.reduce((sum, value, c) => sum + (value - colour[c]!) ** 2, 0);
    if (off < distance) [best, distance] = [i, off];
  }
  return best;
}

function tableBytes(context: PDFContext, value: Parameters<typeof resolve>[1]): Uint8Array | undefined {
  const table = resolve(context, value);
  if (isString(table)) return table.asBytes();
  const front =
    table instanceof PDFRawStream ? decodeFront(table, (one) => resolve(context, one), 1024 * 1024) : undefined;
  return front?.left.length === 0 ? front.data : undefined;
}

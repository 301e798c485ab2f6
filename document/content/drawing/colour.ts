/** A colour of the DeviceRGB space, each part 0 to 1. */
export interface Colour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

/** Reads `#rrggbb` or `#rgb`, the sign optional; undefined when it is neither. */
export function parseHexColour(text: string): Colour | undefined {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1];
  if (digits === undefined) return undefined;
  const whole = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => parseInt(whole.slice(at, at + 2), 16) / 255);
  return { red, green, blue };
}

/** Black. */
export const BLACK: Colour = { red: 0, green: 0, blue: 0 };
/** C0C0C0, used for colours that cannot be read (`docs/interface/misc.yml`, customColor). */
export const LIGHT_GREY: Colour = { red: 192 / 255, green: 192 / 255, blue: 192 / 255 };

/**
 * Parses `#rrggbb`, `0xrrggbb` or the same number in decimal, and everything that `parseHexColour` parses. Undefined
 * otherwise.
 */
export function parseColour(text: string): Colour | undefined {
  const whole = text.trim();
  if (/^\d{1,8}$/.test(whole) || /^0x[0-9a-f]{1,6}$/i.test(whole)) {
    const value = Number(whole);
    return value > 0xffffff
      ? undefined
      : { red: (value >> 16) / 255, green: ((value >> 8) & 0xff) / 255, blue: (value & 0xff) / 255 };
  }
  return parseHexColour(whole);
}

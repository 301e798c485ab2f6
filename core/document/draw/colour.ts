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

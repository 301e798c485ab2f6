import { decimal } from '../content/drawing/index.js';

/** Position of the seal in the box of 200 x 50 points: at its right end. */
const CENTRE = [175, 25] as const;
const RADIUS = { outer: 21, inner: 18.5, disc: 14 } as const;
const NOTCHES = 24;
/** Of a quarter circle drawn as one Bézier curve. */
const KAPPA = 0.5523;

/**
 * Operators that draw a seal: a notched ring, a disc, and a tick cut out of it. `colour` is the operator that sets the
 * one colour it has.
 */
export function sealOperators(colour: string): string {
  const [x, y] = CENTRE;
  const edge = Array.from({ length: NOTCHES * 2 }, (_, i) => {
    const angle = (Math.PI * i) / NOTCHES;
    const radius = i % 2 === 0 ? RADIUS.outer : RADIUS.outer - 2;
    return `${decimal(x + radius * Math.cos(angle))} ${decimal(y + radius * Math.sin(angle))} ${i === 0 ? 'm' : 'l'}`;
  });
  const tick = [
    [-7.5, 0.5],
    [-5, 3],
    [-1.5, -0.5],
    [5.5, 6.5],
    [8, 4],
    [-1.5, -5.5],
  ].map(([dx = 0, dy = 0], i) => `${decimal(x + dx)} ${decimal(y + dy)} ${i === 0 ? 'm' : 'l'}`);
  // Painted by the even-odd rule.
  return [colour, ...edge, 'h', circle(x, y, RADIUS.inner), 'f*', circle(x, y, RADIUS.disc), ...tick, 'h', 'f*'].join(
    '\n',
  );
}

function circle(x: number, y: number, radius: number): string {
  const k = radius * KAPPA;
  const at = (...values: number[]): string => values.map(decimal).join(' ');
  return [
    `${at(x + radius, y)} m`,
    `${at(x + radius, y + k, x + k, y + radius, x, y + radius)} c`,
    `${at(x - k, y + radius, x - radius, y + k, x - radius, y)} c`,
    `${at(x - radius, y - k, x - k, y - radius, x, y - radius)} c`,
    `${at(x + k, y - radius, x + radius, y - k, x + radius, y)} c`,
    'h',
  ].join('\n');
}

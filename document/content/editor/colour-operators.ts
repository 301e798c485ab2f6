import { operatorText } from '../index.js';
import type { JsonColour } from './model.js';

/**
 * Returns the operator that sets a colour. Colours of spaces in the page's resources are converted to a device space by
 * their number of components, a tint of one ink to grey. Undefined for patterns.
 */
export function colourOperator({ colorSpace = '', components = [] }: JsonColour, stroke: boolean): string | undefined {
  if (colorSpace === 'Pattern') return undefined;
  const values = components.map((value) => Math.min(1, Math.max(0, value)));
  const tint = colorSpace === 'Separation' || colorSpace === 'DeviceN';
  if (values.length === 0) return undefined;
  const [first = 0] = values;
  const name = values.length === 4 ? 'k' : values.length === 3 ? 'rg' : 'g';
  const operands = name === 'g' ? [tint ? 1 - first : first] : values;
  return operatorText(stroke ? name.toUpperCase() : name, ...operands);
}

/** True for the same colour; one that is not there is as it was. */
export function sameColour(a: JsonColour | undefined, b: JsonColour | undefined): boolean {
  if (a === undefined || b === undefined) return true;
  if (a.colorSpace !== undefined && b.colorSpace !== undefined && a.colorSpace !== b.colorSpace) return false;
  const [one, two] = [a.components ?? [], b.components ?? []];
  return one.length === two.length && one.every((value, i) => Math.abs(value - two[i]!) < 1e-4);
}

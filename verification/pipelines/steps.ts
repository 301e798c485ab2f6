import { Random } from '../fuzz/random.js';
import { expectations } from '../meaning/expectations.js';

/** A step that turns one PDF into one PDF. */
export interface Step {
  /** `<category>/<operation>`. */
  readonly path: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Steps beside those of `expectations`, because they change what the next one finds. */
const MORE: readonly Step[] = [
  { path: 'general/remove-pages', params: { pageNumbers: '2' } },
  { path: 'general/rearrange-pages', params: { customMode: 'DUPLICATE', pageNumbers: '2' } },
  { path: 'security/add-password', params: { password: 'user', ownerPassword: 'owner' } },
  { path: 'security/remove-password', params: { password: 'user' } },
  { path: 'misc/compress-pdf', params: { optimizeLevel: 7 } },
];

/** Models, programs that take seconds, chance, and answers that need a file of their own say nothing here. */
const LEFT_OUT = /^(ai\/|misc\/ocr-pdf|misc\/scanner-effect|security\/cert-sign)/;

/** Steps that a chain may have. */
export const allSteps: readonly Step[] = [
  ...expectations
    .filter(([path, { parts, paramsFor }]) => parts === undefined && paramsFor === undefined && !LEFT_OUT.test(path))
    .map(([path, { params }]) => ({ path, params })),
  ...MORE,
];

/** Returns two to five of the steps, the same for each seed and index. */
export function chainOf(steps: readonly Step[], seed: number, index: number): readonly Step[] {
  const random = new Random(seed, index, 0x51e9);
  return Array.from({ length: 2 + random.below(4) }, () => steps[random.below(steps.length)]!);
}

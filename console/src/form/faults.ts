import type { FieldFault } from '../api/index.ts';

/** The first fault of each field that a pointer under `base` names. */
export function faultsByField(faults: readonly FieldFault[], base = '/'): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { pointer, detail } of faults) {
    if (!pointer.startsWith(base)) continue;
    const [name = '', ...rest] = pointer.slice(base.length).split('/');
    const field = name.replaceAll('~1', '/').replaceAll('~0', '~');
    found[field] ??= rest.length === 0 ? detail : `${rest.join('/')}: ${detail}`;
  }
  return found;
}

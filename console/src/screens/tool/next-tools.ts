import type { ShownOperation } from '@quire/registry';
import { catalog } from '../../api/index.ts';
import { compareTexts, rt } from '../../i18n/index.ts';
import { favourites, recent } from '../tools/used-tools.ts';

/** The tools that accept a file of this name, those that are used most first. */
export function toolsFor(name: string, except: string): readonly ShownOperation[] {
  const extension = /\.[^.]+$/.exec(name)?.[0].toLowerCase() ?? '';
  const used = [...favourites.value, ...recent.value];
  const rank = ({ path }: ShownOperation): number => (used.includes(path) ? used.indexOf(path) : used.length);
  return (catalog.value?.operations ?? [])
    .filter(({ path, parts, availability, deprecated }) => {
      const [first] = parts;
      return (
        path !== except &&
        deprecated === undefined &&
        availability.state === 'available' &&
        first?.field === 'fileInput' &&
        (first.extensions.length === 0 || first.extensions.includes(extension))
      );
    })
    .sort((a, b) => rank(a) - rank(b) || compareTexts(rt(a.title), rt(b.title)));
}

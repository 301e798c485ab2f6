import type { JoiRoot } from '@quire/registry';

const modes = ['color', 'greyscale', 'blackwhite'] as const;

/** The shared field `colorType`. An unknown value means color, as existing clients expect. */
export function colourTypeField(joi: JoiRoot) {
  return joi
    .string()
    .trim()
    .empty('')
    .custom((value: string) => modes.find((mode) => mode === value) ?? 'color')
    .default('color')
    .description('Colour mode: color, greyscale or blackwhite; any other value means color')
    .example('greyscale');
}

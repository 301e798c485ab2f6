import { choiceField, type JoiRoot } from '@quire/registry';

/** The shared field `colorType`. An unknown value means color, as existing clients expect. */
export function colourTypeField(joi: JoiRoot) {
  return choiceField(joi, ['color', 'greyscale', 'blackwhite'], {
    description: 'Colour mode: color, greyscale or blackwhite; any other value means color',
  });
}

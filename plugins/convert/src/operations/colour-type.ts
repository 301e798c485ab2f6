import { choiceField, type JoiRoot, shown } from '@quire/registry';

/** The shared field `colorType`. An unknown value means color, as existing clients expect. */
export function colourTypeField(joi: JoiRoot) {
  const field = choiceField(joi, ['color', 'greyscale', 'blackwhite'], {
    description: 'Colour mode: color, greyscale or blackwhite; any other value means color',
  });
  return shown(field, {
    label: 'Colours',
    help: '',
    options: { color: 'Colour', greyscale: 'Greyscale', blackwhite: 'Black and white' },
  });
}

export { type DefaultAppearance, parseDefaultAppearance } from './default-appearance.js';
export { type FieldAppearance, fieldAppearance, renewAppearance } from './field-appearance.js';
export { FieldFonts, type MissingCharacters } from './field-fonts.js';
export { flattenForm, type FlattenOptions } from './flatten-form.js';

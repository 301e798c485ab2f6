export { type DefaultAppearance, parseDefaultAppearance } from './default-appearance.js';
export { type FieldAppearance, fieldAppearance, renewAppearance } from './field-appearance.js';
export { type FieldFont, FieldFonts, type FieldLine, type MissingCharacters } from './field-fonts.js';
export { flattenForm, type FlattenOptions } from './flatten-form.js';
export { type MeasuredText, measureText } from './break-lines.js';
export { fieldFlags, hasFlag } from './field-flags.js';
export { type FieldKind, type FieldOption, type FormField, type FormModel, type FormWidget, readForm } from './form-model.js';

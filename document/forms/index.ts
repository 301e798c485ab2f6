export { addUnlistedFields } from './add-unlisted-fields.js';
export { type DefaultAppearance, parseDefaultAppearance } from './appearance/default-appearance.js';
export {
  alignmentOf,
  combCells,
  type FieldAppearance,
  fieldAppearance,
  refreshAppearance,
  stateName,
} from './appearance/field-appearance.js';
export { type FieldFont, FieldFonts, type FieldLine, type MissingCharacters } from './appearance/field-fonts.js';
export { flattenForm, type FlattenOptions } from './flatten-form.js';
export { widgetRotation } from './appearance/widget-look.js';
export { type MeasuredText, measureText } from './appearance/break-lines.js';
export { fieldFlags, hasFlag } from './field-flags.js';
export type { FieldKind, FieldOption, FormField, FormModel, FormWidget } from './form-model.js';
export { readForm } from './read-form.js';
export { formNodes, type FormNodes, type ValuedNode, valuedNodes } from './form-nodes.js';
export { onStateOf } from './read-field.js';
export { type FieldInput, planValue, type ValuePlan } from './field-values.js';
export { type FieldValue, fillForm, type FillOptions, type FillReport } from './fill-form.js';
export { FieldFinder } from './find-fields.js';
export { type TriedValues, tryValues } from './try-values.js';
export { deleteFields, type DeletionReport } from './delete-fields.js';
export { type FieldUpdate, modifyFields, type ModificationReport } from './modify-fields.js';

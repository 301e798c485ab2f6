export { presentationFaults } from './verify-shown.js';
export { verifyIcon, verifyLabel, verifyPresentation } from './verify-declared.js';
export { schemaOfField } from './json-schema.js';
export { shownTexts } from './shown-texts.js';
export { verifyTemplate } from './verify-template.js';
export { showCategories, showFields, showOperation, titleOf, type OperationPresentation } from './show-operation.js';

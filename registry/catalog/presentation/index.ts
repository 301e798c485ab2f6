export { presentationFaults } from './verify-shown.js';
export { verifyIcon, verifyLabel, verifyPresentation } from './verify-declared.js';
export { showCategories, showFields, showOperation, titleOf, type OperationPresentation } from './show-operation.js';

export { showCategories, showFields, showOperation, titleOf, type OperationPresentation } from './show-operation.js';

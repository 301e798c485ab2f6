export * from './operation-docs.js';
export { HOLDS } from './endpoint-answers.js';
export { exampleFilesPlugin } from './form-examples.js';
export { preparedFolder } from './prepared-folder.js';
export { documentSource, swaggerPlugin, type DocumentSource } from './swagger.js';
export type { MakeRequest } from './stored-document.js';
export type { SavedToolsOf } from './saved-document.js';
export { swaggerUiPlugin } from './swagger-ui.js';

export {
  loadCatalog,
  type Catalog,
  type CatalogEndpoint,
  type CatalogOperation,
  type CatalogRequest,
  type CatalogWarning,
  type OperationOverrides,
} from './catalog.js';
export { CatalogError } from './catalog-error.js';
export { markChecked } from './checked-mark.js';
export type { LoadedPlugin, PluginRequest } from './load-plugin.js';
export { nearest } from './nearest.js';
export { nearestPath } from './nearest-path.js';
export { readManifest, type ManifestResult, type PluginManifest } from './plugin-manifest.js';
export { stepFaults } from './pipeline-templates.js';
export {
  presentationFaults,
  schemaOfField,
  showCategories,
  showFields,
  showOperation,
  shownTexts,
  titleOf,
  type OperationPresentation,
} from './presentation/index.js';
export { resolvePackage } from './resolve-package.js';
export { verifyEndpoint } from './verify-endpoint.js';
export { verifyOptions, verifyPlugin, type PluginVerdict } from './verify-plugin.js';

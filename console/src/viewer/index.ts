export { PdfView, type PageTarget } from './document/pdf-view.tsx';
export { passwordOf } from './document/shared-documents.ts';
export { PasswordForm } from './document/password-form.tsx';
export { ViewError, ViewedDocument, type ViewFailure } from './engine/index.ts';
export { failureText } from './failures.ts';
export { pageNumber } from './pages/page-numbers.ts';
export { fit, Thumbnail } from './pages/thumbnail.tsx';
export { showCell, useGrid, type Grid } from './pages/use-grid.ts';

import { PdfView } from '../viewer/index.ts';
import type { ViewProps } from './view-props.ts';

export function PdfFileView({ blob, name, original, page = 0 }: ViewProps) {
  const other = original === undefined ? undefined : { file: original, name: original.name };
  return <PdfView file={blob} name={name} original={other} page={page} />;
}

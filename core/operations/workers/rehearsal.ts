/** One page with a word and a line in it; PDFium finds the objects without a table of them. */
const PAGE = `%PDF-1.7
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 60 80]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length 56>>stream
BT /F 12 Tf 8 40 Td (Quire) Tj ET 0.5 w 8 36 m 52 36 l S
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
`;

/**
 * Draws a small page: V8 compiles what the first call needs of the engine, a third of a first drawing. Returns the
 * pixels as `renderPage` does.
 */
export async function rehearseDrawing(): Promise<Uint8Array> {
  const [{ withDocument }, { renderPage }] = await Promise.all([
    import('@quire/document/engines/pdfium'),
    import('@quire/document/engines/rendering/pages'),
  ]);
  return withDocument(new TextEncoder().encode(PAGE), {}, (document) =>
    renderPage(document, 0, { width: 60, height: 80, annotations: true }),
  );
}

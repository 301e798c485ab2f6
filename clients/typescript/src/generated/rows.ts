// Generated from the declarations of the operations by `npm run docs`.
export const rows = `addAttachments misc/add-attachments  attachments
addComments misc/add-comments   comments
addImage misc/add-image  imageFile
addPageNumbers misc/add-page-numbers
addPassword security/add-password
addScannerEffect misc/scanner-effect
addStamp misc/add-stamp  stampImage
addWatermark security/add-watermark  watermarkImage
applyPurviewLabel integration/purview-apply-label
assemblePages general/assemble-pages   pages
auditArithmetic ai/tools/math-auditor-agent j
autoRedact security/auto-redact
autoRename misc/auto-rename
callExternalApi integration/external-api-call   fields,headers
chunkDocument docparse/chunk-document j
classifyDocument ai/tools/classify-and-label
combineToSinglePage general/pdf-to-single-page
compressPdf misc/compress-pdf
convertCbrToPdf convert/cbr/pdf
convertCbzToPdf convert/cbz/pdf
convertEbookToPdf convert/ebook/pdf
convertEmlToPdf convert/eml/pdf
convertFileToPdf convert/file/pdf
convertHtmlToPdf convert/html/pdf
convertImagesToPdf convert/img/pdf
convertInvoice invoice/convert
convertMarkdownToPdf convert/markdown/pdf
convertPdfToCbr convert/pdf/cbr
convertPdfToCbz convert/pdf/cbz
convertPdfToCsv convert/pdf/csv
convertPdfToEpub convert/pdf/epub
convertPdfToHtml convert/pdf/html
convertPdfToImages convert/pdf/img
convertPdfToMarkdown convert/pdf/markdown
convertPdfToPdfA convert/pdf/pdfa
convertPdfToPresentation convert/pdf/presentation
convertPdfToText convert/pdf/text
convertPdfToTextEditor convert/pdf/text-editor
convertPdfToVector convert/pdf/vector
convertPdfToWord convert/pdf/word
convertPdfToXlsx convert/pdf/xlsx
convertPdfToXml convert/pdf/xml
convertSvgToPdf convert/svg/pdf
convertTextEditorToPdf convert/text-editor/pdf
convertUrlToPdf convert/url/pdf n
convertVectorToPdf convert/vector/pdf
countAnnotations analysis/annotation-info j
countPages analysis/page-count j
createInvoice invoice/create  page
createPdfFromDocument ai/tools/create-pdf-from-html-agent n  document
cropPages general/crop
decompressPdf misc/decompress-pdf
deleteAttachment misc/delete-attachment
deleteFormFields form/delete-fields
detectInvoice invoice/detect j
editPageLabels general/edit-page-labels   labels
editTableOfContents general/edit-table-of-contents
editText general/edit-text
embedInvoice invoice/embed  invoice,supplements
exportFormToCsv form/extract-csv  data
exportFormToXlsx form/extract-xlsx  data
extractAttachments misc/extract-attachments
extractBookmarks general/extract-bookmarks j
extractFields docparse/extract-fields   fields
extractFieldsAsJson docparse/extract-fields/json j  fields
extractImageScans misc/extract-image-scans
extractImages misc/extract-images
extractInvoice invoice/extract
extractPageLabels general/extract-page-labels j
extractTables docparse/extract-tables
fillForm form/fill
fillTemplate docparse/fill-template   data
filterContainsImage filter/filter-contains-image
filterContainsText filter/filter-contains-text
filterFileSize filter/filter-file-size
filterInvoice filter/filter-invoice
filterPageCount filter/filter-page-count
filterPageRotation filter/filter-page-rotation
filterPageSize filter/filter-page-size
flattenPdf misc/flatten
getBasicInfo analysis/basic-info j
getDocumentProperties analysis/document-properties j
getFormInfo analysis/form-fields j
getPageDimensions analysis/page-dimensions j
getPdfInfo security/get-info-on-pdf
getSecurityInfo analysis/security-info j
ingestDocument docparse/ingest
ingestDocumentForRag docparse/rag-ingest
layOutPages general/multi-page-layout
listAttachments misc/list-attachments j
listComments misc/list-comments j
listFonts analysis/font-info j
listFormFields form/fields j
locateFormFields form/fields-with-coordinates j
makeBooklet general/booklet-imposition
mergePdfs general/merge-pdfs
modifyFormFields form/modify-fields
ocrPdf misc/ocr-pdf
overlayPdfs general/overlay-pdfs  overlayFiles
parseDocument docparse/parse-document
previewRedaction security/redact-preview j  terms
readPurviewLabel integration/purview-read-label
rearrangePages general/rearrange-pages
redactAreas security/redact
redactPdf security/redact-execute   terms
removeBlanks misc/remove-blanks
removeImages general/remove-image-pdf
removePages general/remove-pages
removePassword security/remove-password
removeSignatures security/remove-cert-sign
renameAttachment misc/rename-attachment
repairPdf misc/repair
replaceColors misc/replace-invert-pdf
rotatePdf general/rotate-pdf
sanitizePdf security/sanitize-pdf
scalePages general/scale-pages
sendEmail general/send-email
showInvoice invoice/render
showJavascript misc/show-javascript
signPdf security/cert-sign  privateKeyFile,certFile,p12File,jksFile
smartSplit docparse/smart-split
splitAtDividers misc/auto-split-pdf
splitBySizeOrCount general/split-by-size-or-count
splitForPosterPrint general/split-for-poster-print
splitPages general/split-pages
splitPdfByChapters general/split-pdf-by-chapters
splitPdfBySections general/split-pdf-by-sections
suggestSchema docparse/suggest-schema j
timestampPdf security/timestamp-pdf
unlockForms misc/unlock-pdf-forms
updateMetadata misc/update-metadata
validateInvoice invoice/validate
validateSignatures security/validate-signature j certFile
verifyPdf security/verify-pdf j
writeComments ai/tools/pdf-comment-agent`;

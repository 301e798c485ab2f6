import { definePlugin } from '@quire/registry';
import { ocrLanguages } from './endpoints/ocr-languages.endpoint.js';
import { tessdataDownload } from './endpoints/tessdata-download.endpoint.js';
import { tessdataLanguages } from './endpoints/tessdata-languages.endpoint.js';
import { addAttachments } from './operations/add-attachments.op.js';
import { addComments } from './operations/add-comments.op.js';
import { addImage } from './operations/add-image.op.js';
import { addPageNumbers } from './operations/add-page-numbers.op.js';
import { addStamp } from './operations/add-stamp.op.js';
import { autoRename } from './operations/auto-rename.op.js';
import { autoSplitPdf } from './operations/auto-split-pdf.op.js';
import { compressPdf } from './operations/compress-pdf.op.js';
import { decompressPdf } from './operations/decompress-pdf.op.js';
import { deleteAttachment } from './operations/delete-attachment.op.js';
import { extractAttachments } from './operations/extract-attachments.op.js';
import { extractImageScans } from './operations/extract-image-scans.op.js';
import { extractImages } from './operations/extract-images.op.js';
import { flatten } from './operations/flatten.op.js';
import { listAttachments } from './operations/list-attachments.op.js';
import { listComments } from './operations/list-comments.op.js';
import { ocrPdf } from './operations/ocr-pdf.op.js';
import { removeBlanks } from './operations/remove-blanks.op.js';
import { renameAttachment } from './operations/rename-attachment.op.js';
import { repair } from './operations/repair.op.js';
import { replaceInvertPdf } from './operations/replace-invert-pdf.op.js';
import { scannerEffect } from './operations/scanner-effect.op.js';
import { showJavascript } from './operations/show-javascript.op.js';
import { unlockPdfForms } from './operations/unlock-pdf-forms.op.js';
import { updateMetadata } from './operations/update-metadata.op.js';
import { templates } from './templates.js';

/** Stamps, attachments, metadata, colours, OCR, compression, repair and more. */
export default definePlugin({
  categories: [{ id: 'misc', title: 'Edit and improve', icon: 'wand-sparkles', order: 40 }],
  templates,
  operations: [
    decompressPdf,
    addAttachments,
    addComments,
    addImage,
    addPageNumbers,
    addStamp,
    autoRename,
    autoSplitPdf,
    compressPdf,
    deleteAttachment,
    extractAttachments,
    extractImageScans,
    extractImages,
    flatten,
    listAttachments,
    listComments,
    ocrPdf,
    removeBlanks,
    renameAttachment,
    repair,
    replaceInvertPdf,
    scannerEffect,
    showJavascript,
    unlockPdfForms,
    updateMetadata,
  ],
  endpoints: [ocrLanguages, tessdataLanguages, tessdataDownload],
});

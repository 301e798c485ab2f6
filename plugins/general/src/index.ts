import { definePlugin } from '@quire/registry';
import { assemblePages } from './operations/assemble-pages.op.js';
import { crop } from './operations/crop.op.js';
import { bookletImposition } from './operations/booklet-imposition.op.js';
import { editPageLabels } from './operations/edit-page-labels.op.js';
import { editTableOfContents } from './operations/edit-table-of-contents.op.js';
import { editText } from './operations/edit-text.op.js';
import { extractBookmarks } from './operations/extract-bookmarks.op.js';
import { extractPageLabels } from './operations/extract-page-labels.op.js';
import { mergePdfs } from './operations/merge-pdfs.op.js';
import { multiPageLayout } from './operations/multi-page-layout.op.js';
import { overlayPdfs } from './operations/overlay-pdfs.op.js';
import { pdfToSinglePage } from './operations/pdf-to-single-page.op.js';
import { rearrangePages } from './operations/rearrange-pages.op.js';
import { removeImagePdf } from './operations/remove-image-pdf.op.js';
import { removePages } from './operations/remove-pages.op.js';
import { rotatePdf } from './operations/rotate-pdf.op.js';
import { scalePages } from './operations/scale-pages.op.js';
import { sendEmail } from './operations/send-email.op.js';
import { splitBySizeOrCount } from './operations/split-by-size-or-count.op.js';
import { splitForPosterPrint } from './operations/split-for-poster-print.op.js';
import { splitPages } from './operations/split-pages.op.js';
import { splitPdfByChapters } from './operations/split-pdf-by-chapters.op.js';
import { splitPdfBySections } from './operations/split-pdf-by-sections.op.js';

export default definePlugin({
  categories: [{ id: 'general', title: 'Pages', icon: 'files', order: 10 }],
  operations: [
    removeImagePdf,
    editText,
    sendEmail,
    rotatePdf,
    mergePdfs,
    splitPages,
    removePages,
    rearrangePages,
    assemblePages,
    overlayPdfs,
    scalePages,
    splitPdfByChapters,
    editTableOfContents,
    extractBookmarks,
    editPageLabels,
    extractPageLabels,
    splitBySizeOrCount,
    splitPdfBySections,
    multiPageLayout,
    bookletImposition,
    pdfToSinglePage,
    splitForPosterPrint,
    crop,
  ],
});

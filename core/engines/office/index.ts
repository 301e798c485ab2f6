export { LibreOfficeExport } from './office-export.js';
export { LibreOfficeToPdf } from './office-to-pdf.js';
export { OfficePool, officeFolder, sweepOffice } from './pool.js';

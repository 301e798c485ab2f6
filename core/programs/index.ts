export { GhostscriptConvertColours } from './convert-colours.js';
export { ProgramSupervisor, type ProgramResult, type ProgramRun, type ProgramState } from './supervisor.js';
export { LibreOfficeExport, LibreOfficeToPdf, OfficePool, officeFolder, sweepOffice } from './office/index.js';
export { GhostscriptPdfToPdfA } from './pdf-to-pdfa.js';
export { ProgramsRebuildPdf } from './rebuild-pdf.js';
export { installCommand, programNames, programTable, type ProgramInfo, type ProgramName } from './program-table.js';
export { VeraPdfValidator } from './validate-standards.js';
export { findProgram } from './find-program.js';

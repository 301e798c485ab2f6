export { caughtFiles } from './caught-files.ts';
export { fileNameOf } from './content-disposition.ts';
export { filesOfInput, filesOfTransfer, placedFilesOfTransfer, type PlacedFile } from './dropped-files.ts';
export { saveFile } from './save.ts';
export { readZip, writeZip, type ZipEntry } from './zip.ts';

export { fileNameOf } from './content-disposition.ts';
export { filesOfTransfer } from './dropped-files.ts';
export { saveFile } from './save.ts';
export { readZip, writeZip, type ZipEntry } from './zip.ts';

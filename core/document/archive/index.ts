export { type RefuseArchive, type UnpackBudget, type UnpackedFile, type UnpackOptions, checkEntryName, checkZipEntry, guardEntry, refuseArchive, unpackZip } from './unpack-zip.js';

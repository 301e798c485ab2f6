export {
  type RefuseArchive,
  type UnpackBudget,
  type UnpackedFile,
  type UnpackOptions,
  checkEntryName,
  checkZipEntry,
  guardEntry,
  refuseArchive,
  unpackZip,
} from './unpack-zip.js';
export { writeZip, type ZipMember } from './write-zip.js';

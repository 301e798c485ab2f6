export { attachmentFacts, type AttachmentFacts, type EmbeddedAttachment, listAttachments } from './attachment-facts.js';
export { type Attachment, dropAttachments, embeddedFile, readAttachments, shownName } from './attachments.js';
export {
  addAttachments,
  dropFiles,
  type NewAttachment,
  type Relationship,
  relationships,
  removeAttachment,
  renameAttachment,
} from './change-attachments.js';
export { type PackedFile, packFile } from './pack-file.js';
export { type Unpacked, unpackFile } from './unpack-file.js';

export { createMailer } from './mailer.js';
export type { LanguageHints } from './mail-language.js';
export { type MailParagraph, mailWords, type MailWords } from './mail-words.js';

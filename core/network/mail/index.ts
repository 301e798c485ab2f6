export { createMailer } from './mailer.js';

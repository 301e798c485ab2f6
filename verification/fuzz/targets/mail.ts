import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { cleanMail } from '../../../plugins/convert/src/functions/mail/clean-mail.js';
import { readMail } from '../../../plugins/convert/src/functions/mail/read-mail.js';
import { codeOf, type FuzzTarget } from './target.js';

const fixtures = fileURLToPath(new URL('../../../plugins/convert/fixtures', import.meta.url));

/** Internet mails and Outlook messages, and the cleaning of their HTML. */
export const mail: FuzzTarget = {
  extension: 'eml',
  seeds: () => Promise.all(['report.eml', 'scripts.eml', 'outlook.msg'].map((name) => readFile(`${fixtures}/${name}`))),
  exercise: async (bytes) => {
    try {
      await readMail(bytes);
    } catch (error) {
      return codeOf(error);
    }
    const { html } = cleanMail(bytes.toString('utf8'), []);
    if (/<script|<iframe|<object|<[^>]+\son[a-z]+\s*=/i.test(html))
      throw new Error('active content was left in a mail');
    return 'read';
  },
};

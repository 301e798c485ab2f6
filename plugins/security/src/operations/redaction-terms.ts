import { jsonField, type JoiRoot, offering, shown } from '@quire/registry';
import type { ReadyPattern } from '../functions/redaction/ready-patterns.js';

const PRESETS: Readonly<Record<ReadyPattern, string>> = {
  email: 'E-mail addresses',
  phone: 'Phone numbers',
  iban: 'Bank accounts (IBAN)',
  card: 'Payment cards',
  date: 'Dates',
  address: 'Web addresses',
};
const NAMES = Object.keys(PRESETS) as ReadyPattern[];

/** The fields `terms` and `presets`. */
export function termFields(joi: JoiRoot) {
  const flag = (description: string) => joi.boolean().description(description);
  const term = joi.object({
    text: joi.string().trim().max(10_000).required().description('A phrase, or a pattern'),
    regex: flag('The text is a regular expression in Java syntax'),
    wholeWord: flag('The match must not start or end within a word'),
    matchCase: flag('Upper and lower case differ'),
  });
  return {
    terms: shown(
      jsonField(joi, joi.array().items(term).max(2000), {
        what: 'a JSON list of {text, regex, wholeWord, matchCase}',
        longest: 20_000_000,
      })
        .empty('')
        .optional()
        .description(
          'JSON list of {text, regex, wholeWord, matchCase}: phrases, or regular expressions in Java syntax with ' +
            'regex; the last three are false if absent',
        )
        .example('[{"text": "Jane Roe", "wholeWord": true}]'),
      { label: 'Terms', help: 'A list of {text, regex, wholeWord, matchCase}.', widget: 'json' },
    ),
    presets: shown(
      offering(
        joi
          .array()
          .items(joi.string().trim().allow('').max(200))
          .single()
          .max(100)
          .default([])
          .custom((sent: string[], helpers) => {
            const names = [...new Set(sent.flatMap((text) => text.toLowerCase().split(/[\s,]+/)))].filter(
              (name) => name !== '',
            );
            const unknown = names.find((name) => !NAMES.includes(name as ReadyPattern));
            return unknown === undefined ? names : helpers.error('any.only', { valids: NAMES });
          })
          .description(`Ready patterns, repeated or joined by commas: ${NAMES.join(', ')}`)
          .example(['email']),
        { values: NAMES },
      ),
      { label: 'Ready patterns', help: '', options: PRESETS },
    ),
  };
}

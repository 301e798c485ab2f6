// Writes the catalogues of what operations and fields declare for people: `texts/<language>.json` of each plugin, and
// of the registry for texts that several plugins use; and those of the mails of the server. Keeps the translations that
// exist, drops those of texts that are gone, and lists what is missing. `npm run texts`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { typeset } from '../console/build/find-texts.js';
import { connectorTexts } from './connector-texts.js';
import { loadWorkspacePlugins } from './load-workspace-plugins.js';
import { mailTexts } from './mail-texts.js';
import { LANGUAGES, toolTexts, translationsIn } from './tool-texts.js';

const packages = [...toolTexts(await loadWorkspacePlugins(), await connectorTexts()), mailTexts()];
for (const language of LANGUAGES) {
  const known = Object.assign({}, ...packages.map(({ path }) => translationsIn(path, language)));
  for (const { name, path, texts } of packages) {
    const lacking = [...texts].filter((text) => known[text] === undefined);
    for (const text of lacking) console.log(`${name} ${language} lacks ${JSON.stringify(text)}`);
    const entries = [...texts]
      .filter((text) => known[text] !== undefined)
      .map((text) => [text, typeset(language, known[text]!)]);
    mkdirSync(join(path, 'texts'), { recursive: true });
    const file = join(path, 'texts', `${language}.json`);
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`);
  }
}

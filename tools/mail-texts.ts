import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textsIn } from '../console/build/find-texts.js';
import { root } from './load-workspace-plugins.js';
import type { PackageTexts } from './tool-texts.js';

/** The texts of the mails that the server sends, from the modules that write them (`*-mail.ts`, `*-mails.ts`). */
export function mailTexts(): PackageTexts {
  const files = globSync('core/**/*-{mail,mails}.ts', { cwd: root, exclude: ['core/dist/**'] });
  const texts = files.flatMap((file) => textsIn(readFileSync(join(root, file), 'utf8')));
  return { name: 'core/network/mail', path: join(root, 'core', 'network', 'mail'), texts: new Set(texts.sort()) };
}

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { token } from '@quire/registry';

/** A font of the sign tool. */
export interface SignFont {
  readonly name: string;
  readonly extension: string;
  /** `format()` of a CSS `@font-face`; empty without one. */
  readonly type: string;
}

/** The fonts that the operator offers to the sign tool. */
export interface SignFonts {
  list(): Promise<readonly SignFont[]>;
}

/** Token of the fonts. */
export const signFonts = token<SignFonts>('signing.signFonts');

const types: Readonly<Record<string, string>> = {
  ttf: 'truetype',
  woff: 'woff',
  woff2: 'woff2',
  eot: 'embedded-opentype',
  svg: 'svg',
};

/** Names of the font files in `customFiles/static/fonts/`, in the order of the alphabet. */
export class FolderSignFonts implements SignFonts {
  constructor(private readonly customFiles: string) {}

  async list(): Promise<readonly SignFont[]> {
    const entries = await readdir(join(this.customFiles, 'static', 'fonts'), { withFileTypes: true }).catch(() => []);
    return entries
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .sort()
      .flatMap((name) => {
        const [, base = '', extension = ''] = /^(.+)\.([A-Za-z0-9]+)$/.exec(name) ?? [];
        return base === '' ? [] : [{ name: base, extension, type: types[extension.toLowerCase()] ?? '' }];
      });
  }
}

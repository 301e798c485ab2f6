// Saves one signature over and over, each time with another image, extension and label, until it is killed. Argument:
// the folder of custom files.
import sharp from 'sharp';
import { FolderSignatureImages } from '../../src/services/signature-images.js';

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const images = new FolderSignatureImages({ customFiles: process.argv[2] ?? '', clock: { now: () => new Date() }, log });
const ann = { name: 'ann', role: 'user', via: 'session' } as const;
for (let width = 10; ; width = 10 + ((width - 9) % 40)) {
  const bytes = await sharp({ create: { width, height: 10, channels: 3, background: 'navy' } })
    .png()
    .toBuffer();
  const type = width % 2 === 0 ? 'png' : 'jpg';
  await images.save(ann, {
    id: 'one',
    label: `${width}`,
    type: 'image',
    scope: 'personal',
    dataUrl: `data:image/${type};base64,${bytes.toString('base64')}`,
    signerName: null,
    fontFamily: null,
    fontSize: null,
    textColor: null,
  });
  process.stdout.write('.');
}

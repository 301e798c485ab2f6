export { type ColourMode, MAX_PICTURE_PIXELS, type PictureKind, pictureKinds } from './decode.js';
export { type Picture, type PictureOptions, coloured, readPicture, readPictures } from './picture.js';
export { type Place, embedPicture, placePicture } from './embed.js';
export { decodeImage, embeddedSize, MAX_EMBEDDED_PIXELS, type Pixels } from './decode-image.js';
export { listImages, type PageImage } from './list-images.js';
export { encodePixels, type PixelFormat, pixelFormats } from './encode.js';
export { type JpegHeader, readJpegHeader } from './jpeg.js';
export { encodeG4 } from './ccitt-g4.js';
export { blankOutside, type PixelArea } from './blank-image.js';

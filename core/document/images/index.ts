export { type ColourMode, MAX_PICTURE_PIXELS, type PictureKind, pictureKinds } from './decode.js';
export { type Picture, type PictureOptions, coloured, readPicture, readPictures } from './picture.js';
export { type Place, embedPicture, placePicture } from './embed.js';

import { PromisedError, needed } from './errors.js';

/** The longest side of an uploaded photo, in pixels. */
const MOST_PIXELS = 2048;
/** The most bytes of a photo. */
const MOST_BYTES = 5 * 1024 * 1024;
/** The sides of a profile picture, in pixels, and its most bytes. */
const PICTURE_PIXELS = 256;
const PICTURE_BYTES = 65_536;
/** Qualities of JPEG; the first one that is small enough is used. */
const QUALITIES = [0.86, 0.7, 0.5];

/** The size of a picture that fits into a square, in whole pixels; smaller ones stay unchanged. */
export function fitted(width, height, most = MOST_PIXELS) {
  const scale = Math.min(1, most / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * Prepares a photo for its upload: at most 2,048 pixels a side, upright, encoded again as JPEG. The new file has pixels
 * only, without position, time and camera.
 * @param {Blob} blob any picture that the browser can show
 * @returns {Promise<Blob>} of type `image/jpeg`
 * @throws {PromisedError} `file.unsupported`; `client.unsupported` outside a browser
 */
export async function preparedPhoto(blob) {
  needed('document', 'a browser to prepare photos');
  const bitmap = await decoded(blob);
  try {
    const { width, height } = fitted(bitmap.width, bitmap.height);
    return await encoded(width, height, MOST_BYTES, (context) => context.drawImage(bitmap, 0, 0, width, height));
  } finally {
    bitmap.close();
  }
}

/**
 * Prepares a profile picture for its upload: the square in the middle, at most 256 pixels a side, encoded again as JPEG.
 * @param {Blob} blob any picture that the browser can show
 * @returns {Promise<Blob>} of type `image/jpeg`
 * @throws {PromisedError} `file.unsupported`; `client.unsupported` outside a browser
 */
export async function preparedPicture(blob) {
  needed('document', 'a browser to prepare pictures');
  const bitmap = await decoded(blob);
  try {
    const side = Math.min(bitmap.width, bitmap.height);
    const size = Math.min(side, PICTURE_PIXELS);
    const from = [Math.floor((bitmap.width - side) / 2), Math.floor((bitmap.height - side) / 2)];
    return await encoded(size, size, PICTURE_BYTES, (context) => context.drawImage(bitmap, ...from, side, side, 0, 0, size, size));
  } finally {
    bitmap.close();
  }
}

/** A drawing as JPEG, of the best quality that is small enough. */
async function encoded(width, height, mostBytes, draw) {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d');
  // JPEG has no transparency, which would become black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = 'high';
  draw(context);
  for (const quality of QUALITIES) {
    const made = await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
    if (made && made.size <= mostBytes) return made;
  }
  throw new PromisedError('file.too-large');
}

async function decoded(blob) {
  try {
    return await createImageBitmap(blob, { imageOrientation: 'from-image' });
  } catch {
    throw new PromisedError('file.unsupported');
  }
}

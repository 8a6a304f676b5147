import { PromisedError, needed } from './errors.js';

/** The longest side of an uploaded photo, in pixels. */
const MOST_PIXELS = 2048;
/** The most bytes of a photo. */
const MOST_BYTES = 5 * 1024 * 1024;
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
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const context = canvas.getContext('2d');
    // JPEG has no transparency, which would become black.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, height);
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, 0, 0, width, height);
    for (const quality of QUALITIES) {
      const made = await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
      if (made && made.size <= MOST_BYTES) return made;
    }
    throw new PromisedError('file.too-large');
  } finally {
    bitmap.close();
  }
}

async function decoded(blob) {
  try {
    return await createImageBitmap(blob, { imageOrientation: 'from-image' });
  } catch {
    throw new PromisedError('file.unsupported');
  }
}

/** East and south in Mercator's projection, from 0 to 1; the poles are at its edges. */
export function projected(latitude, longitude) {
  const sine = Math.min(0.99627, Math.max(-0.99627, Math.sin((latitude * Math.PI) / 180)));
  return [longitude / 360 + 0.5, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
}

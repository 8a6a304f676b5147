/**
 * Makes a layer that is one canvas over the whole map, drawn again whenever the view changes or {@link redraw} is
 * called.
 *
 * @param {object} L Leaflet
 * @param {{pane: string, draw: (context: CanvasRenderingContext2D, map: object, size: {x: number, y: number}) => void}}
 *   options
 */
export function canvasLayer(L, options) {
  const Layer = L.Layer.extend({
    onAdd(map) {
      this._canvas = L.DomUtil.create('canvas', 'leaflet-zoom-hide');
      this._canvas.setAttribute('aria-hidden', 'true');
      map.getPane(options.pane).appendChild(this._canvas);
      map.on('move zoom viewreset resize', this.redraw, this);
      this.redraw();
    },
    onRemove(map) {
      map.off('move zoom viewreset resize', this.redraw, this);
      this._canvas.remove();
    },
    redraw() {
      if (!this._map) return;
      const size = this._map.getSize();
      const ratio = Math.min(2, globalThis.devicePixelRatio || 1);
      this._fit(size, ratio);
      L.DomUtil.setPosition(this._canvas, this._map.containerPointToLayerPoint([0, 0]));
      const context = this._canvas.getContext('2d');
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, size.x, size.y);
      options.draw(context, this._map, size);
    },
    _fit(size, ratio) {
      const [width, height] = [Math.round(size.x * ratio), Math.round(size.y * ratio)];
      if (this._canvas.width === width && this._canvas.height === height) return;
      Object.assign(this._canvas, { width, height });
      Object.assign(this._canvas.style, { width: `${size.x}px`, height: `${size.y}px` });
    },
  });
  return new Layer();
}

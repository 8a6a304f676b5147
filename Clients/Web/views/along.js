import { h, setText } from '../dom.js';
import { distance } from '../format.js';
import { t } from '../strings.js';
import { field, small } from './parts.js';

/** The number of steps of a way, unless a step would be below a metre. */
const STEPS = 500;

/** A slider that chooses a point of a way. */
export class AlongPart {
  /**
   * @param {number} length of the way, in metres
   * @param {(metres: number) => void} onLook another point is chosen
   * @param {(metres: number) => void} onAdd the chosen point is to be added
   */
  constructor(length, onLook, onAdd) {
    const most = Math.max(1, Math.round(length));
    const box = field(t('waypoints.along'), { type: 'range', min: 0, max: most, step: Math.max(1, Math.round(most / STEPS)), value: 0 });
    const [slider, output] = [box.querySelector('input'), h('span.quiet', { 'aria-hidden': 'true' })];
    const update = () => {
      setText(output, distance(slider.valueAsNumber));
      slider.setAttribute('aria-valuetext', distance(slider.valueAsNumber));
    };
    slider.addEventListener('input', () => {
      update();
      onLook(slider.valueAsNumber);
    });
    update();
    this.button = small(t('waypoints.here'), () => onAdd(slider.valueAsNumber));
    this.root = h('div.along', {}, box, output, this.button);
  }

  set isFull(isFull) {
    this.button.disabled = isFull;
  }
}

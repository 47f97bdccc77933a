/* From values to places on the paper. */

const STEPS = [1, 2, 2.5, 5, 10];

/** A function from values between `low` and `high` to places between `from` and `to`. */
export function scale(low, high, from, to) {
  const span = high - low || 1;
  return (value) => from + ((value - low) / span) * (to - from);
}

/** Round values from 0 on, about so many, the last one at or above `high`. */
export function ticks(high, about, whole = false) {
  const step = niceStep(Math.max(high, whole ? 1 : 0.01) / about, whole);
  const number = Math.max(1, Math.ceil(high / step - 1e-9));
  return Array.from({ length: number + 1 }, (_, place) => Number((place * step).toPrecision(12)));
}

/** Round values from 0 on that lie at or below `high`. */
export function inside(high, about) {
  return ticks(high, about, true).filter((value) => value <= high);
}

function niceStep(rough, whole) {
  const power = 10 ** Math.floor(Math.log10(rough));
  const nice = STEPS.find((step) => step * power >= rough - 1e-12) * power;
  return whole ? Math.max(1, Math.ceil(nice)) : nice;
}

/** Places for labels that want to stand at `wanted`: in the same order, none over another. */
export function apart(wanted, gap, lowest, highest) {
  const order = wanted.map((place, index) => ({ place, index })).sort((a, b) => a.place - b.place);
  order.forEach((label, rank) => {
    const above = rank ? order[rank - 1].place + gap : lowest;
    label.place = Math.max(label.place, above);
  });
  for (let rank = order.length - 1; rank >= 0; rank -= 1) {
    const below = rank + 1 < order.length ? order[rank + 1].place - gap : highest;
    order[rank].place = Math.min(order[rank].place, below);
  }
  const places = new Array(wanted.length);
  order.forEach(({ place, index }) => {
    places[index] = place;
  });
  return places;
}

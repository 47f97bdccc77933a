/* Which line is whose: a crawl keeps its colour and dash, whatever comes and goes beside it. */

export const COLOURS = 8;

export class LineStyles {
  constructor() {
    this.places = new Map();
  }

  /** A style for each of these crawls, the ones that are drawn; a grey one is shared by those for whom none is left. */
  of(ids) {
    const taken = new Set();
    const styles = new Map();
    for (const id of ids.filter((known) => this.places.has(known)))
      if (!taken.has(this.places.get(id))) this.give(id, this.places.get(id), taken, styles);
    for (const id of ids.filter((other) => !styles.has(other)))
      this.give(id, this.free(taken), taken, styles);
    return styles;
  }

  give(id, place, taken, styles) {
    styles.set(id, place);
    if (place === COLOURS) return;
    taken.add(place);
    this.places.set(id, place);
  }

  /** The first style that nobody had; else one of a crawl that is gone. */
  free(taken) {
    const all = Array.from({ length: COLOURS }, (_, place) => place);
    const had = new Set(this.places.values());
    return (
      all.find((place) => !had.has(place)) ?? all.find((place) => !taken.has(place)) ?? COLOURS
    );
  }
}

/* The curves of all crawls, as far as they are known. */

import { Unanswered, ask, crawlPath } from "./api.js";
import { merged, pageOf } from "./points.js";

const NONE = [];

export class Curves {
  constructor() {
    this.points = new Map();
    this.asked = new Map(); // id -> pages fetched when its curve was asked for
  }

  /** The points of a crawl; none as long as they were not asked for. */
  of(id) {
    return this.points.get(id) ?? NONE;
  }

  /** Has the crawl gone on since its curve was asked for? */
  isBehind({ id, summary }) {
    return this.asked.get(id) !== (summary?.fetched ?? 0);
  }

  /** Points that came by themselves. */
  add(id, points) {
    if (points.length) this.points.set(id, merged(this.of(id), points));
  }

  forget(id) {
    this.points.delete(id);
  }

  /** The whole curve, in so many points; what came by itself meanwhile is `kept` or not. */
  async ask({ id, summary }, most, kept) {
    this.asked.set(id, summary?.fetched ?? 0);
    const { points } = await ask(`${crawlPath(id)}/curve`, { points: most }).catch((error) => {
      if (error instanceof Unanswered) this.asked.delete(id); // it is worth asking again
      throw error;
    });
    const last = points.length ? pageOf(points.at(-1)) : 0;
    const later = kept ? this.of(id).filter((point) => pageOf(point) > last) : NONE;
    this.points.set(id, merged(points, later));
  }
}

/* The curves of all crawls, as far as they are known. */

import { Unanswered, ask, crawlPath } from "./api.js";

const NONE = [];

/** A curve that was asked for is good until this changes. */
function standing({ state, summary }) {
  return `${state} ${summary?.fetched ?? 0}`;
}

export class Curves {
  constructor() {
    this.points = new Map();
    this.asked = new Map(); // id -> how the crawl stood when its curve was asked for
  }

  /** The points of a crawl; none as long as they were not asked for. */
  of(id) {
    return this.points.get(id) ?? NONE;
  }

  /** Has the crawl gone on since its curve was asked for? */
  isBehind(crawl) {
    return this.asked.get(crawl.id) !== standing(crawl);
  }

  forget(id) {
    this.points.delete(id);
  }

  /** Ask for the whole curve. */
  async ask(crawl) {
    this.asked.set(crawl.id, standing(crawl));
    const { points } = await ask(`${crawlPath(crawl.id)}/curve`).catch((error) => {
      if (error instanceof Unanswered) this.asked.delete(crawl.id); // it is worth asking again
      throw error;
    });
    this.points.set(crawl.id, points);
  }
}

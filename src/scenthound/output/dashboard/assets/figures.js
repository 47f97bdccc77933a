/* The figures of one crawl, as tiles whose numbers change in place. */

import { element, fill, tell } from "./element.js";
import { count, rate, share } from "./format.js";

const TILES = [
  [
    "fetched",
    "fetched",
    (crawl) => count(crawl.summary?.fetched ?? 0),
    (crawl) => (crawl.budget ? `of ${count(crawl.budget)}` : ""),
  ],
  ["relevant", "relevant", (crawl) => count(crawl.summary?.relevant ?? 0), () => ""],
  ["harvest", "harvest rate", (crawl) => share(crawl.harvest), () => "relevant / fetched"],
  ["rate", "pages/s", (crawl) => rate(crawl.rate), () => "last minute"],
  ["waiting", "waiting", (crawl) => count(crawl.summary?.waiting), () => "in the frontier"],
  [
    "failed",
    "failed",
    (crawl) => count(crawl.summary?.failed),
    (crawl) => more(crawl.summary?.given_up, "given up"),
  ],
  [
    "refused",
    "refused",
    (crawl) => count(crawl.summary?.refused),
    (crawl) => more(crawl.summary?.missing, "not in the archive"),
  ],
];

function more(number, words) {
  return number ? `${count(number)} ${words}` : "";
}

export class Figures {
  /** Tiles in `root`, a list of terms and values. */
  constructor(root) {
    this.tiles = TILES.map(([key, name, value, note]) => ({
      value,
      note,
      key,
      name,
      number: element("dd", { class: "number", "data-figure": key }),
      small: element("dd", { class: "note" }),
    }));
    this.bar = element("progress", { max: 1, value: 0, "aria-label": "Share of the budget" });
    fill(
      root,
      this.tiles.map(({ key, name, number, small }) =>
        element(
          "div",
          { class: "tile" },
          element("dt", {}, name),
          number,
          small,
          key === "fetched" ? element("dd", {}, this.bar) : null,
        ),
      ),
    );
  }

  /** The crawl as it is now. */
  show(crawl) {
    for (const { value, note, number, small } of this.tiles) {
      tell(number, value(crawl));
      tell(small, note(crawl));
    }
    this.bar.value = crawl.budget ? Math.min(1, (crawl.summary?.fetched ?? 0) / crawl.budget) : 0;
  }
}

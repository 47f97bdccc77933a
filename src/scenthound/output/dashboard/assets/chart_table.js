/* The curve as a table, for those who cannot see it, and to copy from. */

import { element, foreign } from "./element.js";
import { count, share } from "./format.js";
import { nearest, spread } from "./points.js";

const ROWS = 21;

/** A table with a row for each of some pages and a column for each line. */
export function chartTable(lines, measure) {
  const longest = lines.reduce(
    (best, line) => (line.pairs.length > best.length ? line.pairs : best),
    [],
  );
  const write = measure.share ? share : count;
  const head = element(
    "tr",
    {},
    element("th", { scope: "col", class: "number" }, "page"),
    lines.map((line) => element("th", { scope: "col", class: "number" }, foreign(line.name, 40))),
  );
  const rows = spread(longest, ROWS).map(([page]) =>
    element(
      "tr",
      {},
      element("th", { scope: "row", class: "number" }, count(page)),
      lines.map((line) => element("td", { class: "number" }, write(valueAt(line, page)))),
    ),
  );
  return element(
    "table",
    {},
    element("caption", {}, `${measure.name} by pages fetched`),
    element("thead", {}, head),
    element("tbody", {}, rows),
  );
}

function valueAt(line, page) {
  const last = line.pairs.at(-1);
  return last && last[0] >= page ? nearest(line.pairs, page)[1] : null; // a curve that has ended is not drawn on
}

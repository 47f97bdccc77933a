/* All crawls in one table, below their curves in one chart. */

import { element, fill, foreign } from "./element.js";
import { count, rate, share } from "./format.js";
import { swatch } from "./plot.js";

const COLUMNS = [
  "crawl",
  "state",
  "topic",
  "strategy",
  "fetched",
  "relevant",
  "harvest",
  "pages/s",
  "waiting",
];
const NUMBERS_FROM = 4;

/** The table in `root`, with the styles of the lines; `chosen(id)` is called with the one that is picked. */
export function showAll(root, crawls, styles, chosen) {
  const focused = document.activeElement?.dataset?.crawl;
  const head = COLUMNS.map((name, place) =>
    element("th", { scope: "col", class: place < NUMBERS_FROM ? "" : "number" }, name),
  );
  const rows = crawls.map((crawl) => row(crawl, styles.get(crawl.id), chosen));
  fill(
    root,
    element("h2", {}, "Crawls"),
    element(
      "div",
      { class: "scroll" },
      element(
        "table",
        { class: "all" },
        element("thead", {}, element("tr", {}, head)),
        element("tbody", {}, rows),
      ),
    ),
  );
  if (focused !== undefined) root.querySelector(`[data-crawl="${CSS.escape(focused)}"]`)?.focus();
}

function row(crawl, style, chosen) {
  const totals = crawl.summary ?? {};
  const words = [crawl.topic, crawl.strategy].map((word) => element("td", {}, foreign(word, 60)));
  const numbers = [
    count(totals.fetched ?? 0),
    count(totals.relevant ?? 0),
    share(crawl.harvest),
    rate(crawl.rate),
    count(totals.waiting),
  ];
  return element(
    "tr",
    {},
    element(
      "th",
      { scope: "row" },
      swatch(style),
      element(
        "button",
        { type: "button", class: "title", "data-crawl": crawl.id, click: () => chosen(crawl.id) },
        foreign(crawl.name, 80),
      ),
    ),
    element(
      "td",
      {},
      element("span", { class: "state", "data-state": crawl.state }, crawl.state),
      crawl.problem ? element("span", { class: "note" }, foreign(crawl.problem)) : null,
    ),
    words,
    numbers.map((number) => element("td", { class: "number" }, number)),
  );
}

/* Pages as rows: of the list of the latest relevant ones, and of the table. */

import { element, foreign, outLink } from "./element.js";
import { count, share } from "./format.js";
import { scoreParts } from "./score_parts.js";

/** The number by which a page is asked for: its own, or that among the pages of all workers. */
export function keyOf(page) {
  return page.key ?? page.n;
}

/** The title, to be pressed for all that is known of the page. */
function opener(page, open) {
  return element(
    "button",
    { type: "button", class: "title", "data-page": keyOf(page), click: () => open(page) },
    foreign(page.title || "(no title)", 160),
  );
}

function verdict(page) {
  const mark = page.relevant ? "relevant" : "not relevant";
  return element(
    "span",
    { class: page.relevant ? "verdict yes" : "verdict no", title: mark },
    element("span", { class: "unseen" }, mark),
  );
}

/** Which of several workers has the page; nothing where there is but one. */
function workerNote({ worker }) {
  return worker ? element("span", { class: "of-worker" }, foreign(worker.name, 60)) : null;
}

/** One of the latest relevant pages. */
export function latestRow(page, open) {
  const said = page.anchor
    ? element("span", { class: "anchor" }, "linked as “", foreign(page.anchor, 60), "”")
    : null;
  return element(
    "li",
    { "data-page": keyOf(page) },
    element(
      "div",
      { class: "page-name" },
      opener(page, open),
      outLink(page.url),
      said,
      workerNote(page),
    ),
    element(
      "div",
      { class: "similarity" },
      element("b", {}, share(page.similarity)),
      element("small", {}, "similarity"),
    ),
    scoreParts(page),
  );
}

/** The head of the table. */
export function tableHead() {
  const columns = [
    ["page", "number"],
    ["", ""],
    ["title and URL", ""],
    ["similarity", "number"],
    ["priority", "number"],
    ["depth", "number"],
    ["status", "number"],
  ];
  return element(
    "thead",
    {},
    element(
      "tr",
      {},
      columns.map(([name, kind]) =>
        element(
          "th",
          { scope: "col", class: kind },
          name || element("span", { class: "unseen" }, "verdict"),
        ),
      ),
    ),
  );
}

/** One page of the table. */
export function tableRow(page, open) {
  const number = (text) => element("td", { class: "number" }, text);
  const notes = [page.problem, page.language].filter(Boolean).join(", ");
  return element(
    "tr",
    { "data-page": keyOf(page) },
    number(count(page.n)),
    element("td", {}, verdict(page)),
    element(
      "td",
      { class: "page-name" },
      opener(page, open),
      outLink(page.url),
      notes ? element("span", { class: "note" }, foreign(notes)) : null,
      workerNote(page),
    ),
    number(share(page.similarity)),
    number(share(page.priority)),
    number(count(page.depth)),
    number(String(page.status ?? "")),
  );
}

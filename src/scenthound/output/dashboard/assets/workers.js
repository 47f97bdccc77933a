/* The workers of a crawl in a table; a click looks at one of them alone. */

import { element, fill, foreign } from "./element.js";
import { ago, count, many, rate, share } from "./format.js";

const NUMBERS = ["fetched", "relevant", "harvest", "pages/s", "last page"];
const COLUMNS = ["worker", "state", ...NUMBERS, "folder"];

export class Workers {
  /** A table in `root`; `go(id)` looks at a worker. */
  constructor(root, go) {
    this.root = root;
    this.go = go;
  }

  /** The crawl as it is now; nothing is shown for one of one process. */
  show({ workers, server }) {
    this.root.hidden = !workers;
    const now = Date.now() / 1000;
    const rows = (workers ?? []).map((worker) => ({ ...worker, last: ago(worker.last_at, now) }));
    const key = JSON.stringify([rows, server]);
    if (!workers || key === this.key) return;
    this.key = key;
    this.fill(rows, server);
  }

  fill(rows, server) {
    const focused = this.root.contains(document.activeElement)
      ? document.activeElement.dataset.crawl
      : undefined;
    const head = COLUMNS.map((name) =>
      element("th", { scope: "col", class: NUMBERS.includes(name) ? "number" : "" }, name),
    );
    fill(
      this.root,
      element("h2", { id: "workers-title" }, "Workers"),
      server ? element("p", { class: "note" }, "as reported by ", foreign(server, 120)) : null,
      elsewhere(rows),
      element(
        "div",
        { class: "scroll" },
        element(
          "table",
          { class: "all workers" },
          element("thead", {}, element("tr", {}, head)),
          element(
            "tbody",
            {},
            rows.map((worker) => this.row(worker)),
          ),
        ),
      ),
    );
    if (focused) this.root.querySelector(`[data-crawl="${CSS.escape(focused)}"]`)?.focus();
  }

  row(worker) {
    const numbers = [
      count(worker.fetched),
      count(worker.relevant),
      share(worker.harvest),
      rate(worker.rate),
      worker.last,
    ];
    return element(
      "tr",
      { "data-worker": worker.number },
      element("th", { scope: "row" }, this.name(worker)),
      element(
        "td",
        {},
        element("span", { class: "state", "data-state": worker.state }, worker.state),
        worker.reason ? element("span", { class: "note" }, foreign(worker.reason, 120)) : null,
      ),
      numbers.map((number) => element("td", { class: "number" }, number)),
      element("td", { class: "folder" }, foreign(place(worker), 400)),
    );
  }

  /** A worker whose folder is here can be looked at alone. */
  name({ id, name }) {
    if (!id) return foreign(name, 80);
    return element(
      "button",
      { type: "button", class: "title", "data-crawl": id, click: () => this.go(id) },
      foreign(name, 80),
    );
  }
}

function place({ id, folder, host }) {
  return id || !host ? folder : `${folder} on ${host}`;
}

/** Says so where the pages of some cannot be listed. */
function elsewhere(rows) {
  const away = rows.filter(({ id }) => !id).length;
  if (!rows.length) return element("p", { class: "nothing" }, "No worker has begun yet.");
  if (!away) return null;
  const one = away === 1;
  const words = [
    `The ${one ? "folder" : "folders"} of ${count(away)} of ${many(rows.length, "worker")}`,
    `${one ? "is" : "are"} not on this machine: no pages of ${one ? "it" : "these"} are listed here,`,
    "and the curve is what the server has reported since this dashboard began.",
  ].join(" ");
  return element("p", { class: "note", "data-test": "elsewhere" }, words);
}

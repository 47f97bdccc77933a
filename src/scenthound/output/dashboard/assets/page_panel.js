/* All that is known of one page, at the side: the way to it from a seed, and its explanation. */

import { ask, crawlPath } from "./api.js";
import { element, fill, foreign, outLink } from "./element.js";
import { explained } from "./explanation.js";
import { count, moment, share } from "./format.js";
import { keyOf } from "./page_rows.js";

export class PagePanel {
  /** A panel in `dialog`; it closes with Escape, its button, or a click beside it. */
  constructor(dialog) {
    this.dialog = dialog;
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
    dialog.addEventListener("close", () => this.running?.abort());
  }

  /** Show a page of a crawl. */
  async open(crawl, page) {
    this.running?.abort();
    this.running = new AbortController();
    this.fill(element("p", { class: "nothing", role: "status" }, `Looking up page ${count(page.n)} …`));
    if (!this.dialog.open) this.dialog.showModal();
    try {
      const details = await ask(`${crawlPath(crawl.id)}/pages/${keyOf(page)}`, {}, this.running.signal);
      this.fill(...this.content(crawl, details));
    } catch (error) {
      if (error.name !== "AbortError")
        this.fill(element("p", { class: "notice", role: "alert" }, foreign(error.message, 400)));
    }
  }

  close() {
    if (this.dialog.open) this.dialog.close();
  }

  fill(...content) {
    const close = element(
      "button",
      { type: "button", class: "close", "aria-label": "Close", click: () => this.dialog.close() },
      "×",
    );
    const title = content.some((part) => part.id === "panel-title")
      ? null
      : element("h2", { id: "panel-title" }, "Page");
    fill(this.dialog, element("div", { class: "panel-body" }, close, title, content));
    close.focus();
  }

  content(crawl, { page, path, explanation, unexplained }) {
    return [
      element("h2", { id: "panel-title" }, foreign(page.title || "(no title)", 200)),
      element("p", { class: "panel-url" }, outLink(page.url)),
      facts(crawl, page),
      unexplained ? element("p", { class: "notice" }, foreign(unexplained, 400)) : null,
      way(path ?? []),
      ...explained(explanation, page),
    ].filter(Boolean);
  }
}

function facts(crawl, page) {
  const rows = [
    ["verdict", page.relevant ? "relevant" : "not relevant"],
    ["similarity", share(page.similarity)],
    ["priority", share(page.priority)],
    ["page", page.worker ? `${count(page.n)} of ${page.worker.name}` : count(page.n)],
    ["depth", count(page.depth)],
    ["status", String(page.status ?? "")],
    ["fetched", crawl.kind === "live" ? moment(page.at) : ""],
    ["language", page.language],
    ["problem", page.problem],
  ].filter(([, value]) => value);
  return element(
    "dl",
    { class: "facts" },
    rows.map(([name, value]) =>
      element("div", {}, element("dt", {}, name), element("dd", {}, foreign(value))),
    ),
  );
}

function way(path) {
  if (!path.length) return null;
  const steps = path.map((step, place) =>
    element(
      "li",
      {},
      linkWords(step, place),
      (step.redirects ?? []).map((url) =>
        element("span", { class: "via" }, "redirected from ", foreign(url, 200)),
      ),
      element("span", { class: "step-title" }, foreign(step.title || step.url, 120)),
      step.title && step.url ? outLink(step.url) : null,
    ),
  );
  return element(
    "section",
    { "data-test": "way" },
    element("h3", {}, "The way from the seed"),
    element("ol", { class: "way" }, steps),
  );
}

function linkWords(step, place) {
  if (step.elsewhere) return element("span", { class: "via" }, "not among the folders shown");
  if (!place) return element("span", { class: "via" }, "seed");
  const score = typeof step.score === "number" ? `, scored ${share(step.score)}` : "";
  return element(
    "span",
    { class: "via" },
    "link “",
    foreign(step.anchor || "(no words)", 80),
    `”${score}`,
  );
}

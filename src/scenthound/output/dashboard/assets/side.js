/* What stands beside the curve: the frontier, hosts, refusals, settings. */

import { element, fill, foreign } from "./element.js";
import { count, many, share } from "./format.js";

const FRONTIER = [
  ["retrying", "of these to be tried again"],
  ["under_way", "under way"],
  ["set_aside", "set aside"],
];
const HOSTS_AT_FIRST = 10;
const FREE = "free"; // what a host is most of the time, and not worth a line

export class Side {
  /** Blocks in `root`, from the details of a crawl. */
  constructor(root) {
    this.blocks = ["frontier", "hosts", "refused", "settings"].map((key) =>
      element("section", { class: "block", id: `side-${key}` }),
    );
    fill(root, this.blocks);
  }

  /** The crawl as it is now: what waits is the same number here and among its figures. */
  follow(crawl) {
    this.waiting = crawl.summary?.waiting;
    this.showFrontier(crawl.id);
  }

  showFrontier(id) {
    const known = this.detail?.id === id ? this.detail.frontier : {};
    const waiting = typeof this.waiting === "number" ? [["waiting", count(this.waiting)]] : [];
    const rows = [...waiting, ...frontierRows(known)];
    const key = JSON.stringify(rows);
    if (this.key !== key) fill(this.blocks[0], titled("Frontier", pairsList(rows)));
    this.key = key;
  }

  /** The details as they are now. */
  show(detail) {
    const [, hosts, refused, settings] = this.blocks;
    this.detail = detail;
    this.showFrontier(detail.id);
    this.fillHosts(hosts, detail);
    fill(
      refused,
      titled(
        "Refused",
        partly(detail.counted?.whole, detail),
        pairsList(
          Object.entries(detail.refused ?? {}).map(([reason, number]) => [reason, count(number)]),
          "none",
        ),
      ),
    );
    if (settings.dataset.crawl !== detail.id) fill(settings, settingsOf(detail));
    settings.dataset.crawl = detail.id;
  }

  fillHosts(block, detail) {
    const open = block.querySelector("details")?.open ?? false;
    const hosts = detail.hosts ?? [];
    const rest = hosts.slice(HOSTS_AT_FIRST);
    fill(
      block,
      titled(
        "Hosts",
        partly(detail.hosts_whole, detail),
        hosts.length ? hostTable(hosts.slice(0, HOSTS_AT_FIRST)) : nothing("none yet"),
      ),
      rest.length
        ? element(
            "details",
            { open },
            element("summary", {}, `${rest.length} more`),
            hostTable(rest),
          )
        : null,
    );
  }
}

function titled(title, ...content) {
  return [element("h2", {}, title), ...content];
}

/** Says so where only the end of a long crawl was counted. */
function partly(whole, { counted }) {
  return whole === false
    ? element("p", { class: "note" }, `among the last ${many(counted.pages, "page")}`)
    : null;
}

function nothing(words) {
  return element("p", { class: "nothing" }, words);
}

function frontierRows(frontier) {
  return FRONTIER.filter(([key]) => typeof frontier?.[key] === "number").map(([key, name]) => [
    name,
    count(frontier[key]),
  ]);
}

function pairsList(rows, empty = "nothing yet") {
  if (!rows.length) return nothing(empty);
  return element(
    "dl",
    { class: "pairs" },
    rows.map(([name, value]) =>
      element("div", {}, element("dt", {}, foreign(name)), element("dd", {}, foreign(value))),
    ),
  );
}

function hostTable(hosts) {
  const waits = hosts.some(({ waiting }) => waiting !== null);
  const heads = ["host", "pages", "relevant", ...(waits ? ["waiting"] : [])];
  const head = element(
    "tr",
    {},
    heads.map((name, place) => element("th", { scope: "col", class: place ? "number" : "" }, name)),
  );
  return element(
    "table",
    { class: "hosts" },
    element("thead", {}, head),
    element(
      "tbody",
      {},
      hosts.map((host) => hostRow(host, waits)),
    ),
  );
}

function hostRow({ host, pages, relevant, waiting, state }, waits) {
  const known = pages && typeof relevant === "number";
  const part = known ? `${share(relevant / pages, 2)} of its pages` : null;
  return element(
    "tr",
    {},
    element(
      "th",
      { scope: "row" },
      foreign(host, 80),
      state && state !== FREE ? element("span", { class: "note" }, foreign(state, 60)) : null,
    ),
    element("td", { class: "number" }, count(pages)),
    element(
      "td",
      { class: "number" },
      element("span", { title: part }, count(relevant)),
    ),
    waits ? element("td", { class: "number" }, count(waiting)) : null,
  );
}

function settingsOf(detail) {
  const rows = [
    ["folder", detail.folder],
    ["threshold", share(detail.threshold)],
    ...(detail.settings ?? []),
  ];
  return element(
    "details",
    {},
    element("summary", {}, element("h2", {}, "Settings")),
    pairsList(rows),
  );
}

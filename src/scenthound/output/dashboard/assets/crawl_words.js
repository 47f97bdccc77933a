/* How a crawl stands, in words. */

import { element, foreign, shown } from "./element.js";
import { moment } from "./format.js";

const KINDS = new Map([
  ["live", "live crawl"],
  ["replay", "replay of an archive"],
]);
const PLAIN_PATH = /^[\w@%+=:,./-]+$/;

/** The state, and why the crawl is over. */
export function stateWord(crawl) {
  const why = shown(crawl.reason, 120);
  return element(
    "span",
    { class: "state", "data-state": crawl.state, "data-test": "state" },
    isOver(crawl) && why ? `${crawl.state}: ${why}` : crawl.state,
  );
}

/** Whose worker, topic, strategy, reading, kind and beginning, each in an element of its own. */
export function aboutWords(crawl, go) {
  const words = [
    crawl.topic && `topic ${crawl.topic}`,
    crawl.strategy && `strategy ${crawl.strategy}`,
    crawl.reading && `texts read ${crawl.reading}`,
    KINDS.get(crawl.kind),
    crawl.kind === "live" && crawl.started_at ? `begun ${moment(crawl.started_at)}` : "",
  ];
  const parts = words.filter(Boolean).map((word) => foreign(word, 120));
  return [crawl.team ? teamLink(crawl.team, go) : null, ...parts]
    .filter(Boolean)
    .map((part) => element("span", { class: "about-part" }, part));
}

/** From a worker to the crawl that it works for. */
function teamLink({ id, name }, go) {
  return element(
    "button",
    { type: "button", class: "title", "data-team": id, click: () => go(id) },
    "a worker of ",
    foreign(name, 80),
  );
}

/** What should be known of the crawl before all else; `damage` was seen when looking closer. */
export function noticeWords(crawl, damage = "") {
  if (crawl.problem || damage) return crawl.problem || damage;
  if (crawl.state === "damaged") return "What is in this folder cannot be read as a crawl.";
  if (crawl.state === "not begun")
    return "This crawl has not begun: there is no page yet. It is shown as soon as there is one.";
  const words = [
    crawl.state === "interrupted" ? "This crawl was cut off." : "",
    isOver(crawl) && !crawl.summary?.fetched ? "This crawl is over and has fetched no page." : "",
    canGoOn(crawl) ? goOnWords(crawl) : "",
  ];
  return words.filter(Boolean).join(" ");
}

/** How to go on; what waits for workers is on their server. */
function goOnWords(crawl) {
  if (crawl.workers || crawl.team)
    return "Go on with it: scenthound resume --redis URL --crawl NAME, then start workers.";
  return `Go on with it: ${resumeCommand(crawl.folder)}`;
}

/** The command that goes on with a crawl, ready for a shell. */
export function resumeCommand(folder) {
  const path = String(folder);
  const canBeCopied = shown(path, path.length) === path;
  if (!canBeCopied) return "scenthound resume, with its folder";
  const quoted = PLAIN_PATH.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
  return `scenthound resume ${quoted}`;
}

function isOver(crawl) {
  return ["finished", "stopped", "failed"].includes(crawl.state);
}

function canGoOn(crawl) {
  return crawl.kind === "live" && ["stopped", "failed", "interrupted"].includes(crawl.state);
}

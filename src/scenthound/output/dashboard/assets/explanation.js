/* The explanation of a page: why it came when it came, why it counts as relevant or not. */

import { element, foreign } from "./element.js";
import { count, many, share } from "./format.js";
import { scoreParts } from "./score_parts.js";

/** Sections of the explanation of a page; the parts of its score alone where there is none. */
export function explained(explanation, page) {
  if (!explanation) return [section("Why it came when it came", scoreParts(page))];
  return [
    verdict(explanation),
    priority(explanation.priority, page),
    inlinks(explanation.priority),
    relevance(explanation.relevance),
    links(explanation.page),
  ].filter(Boolean);
}

function verdict(explanation) {
  return explanation.verdict ? element("p", { class: "sentence" }, foreign(explanation.verdict, 1200)) : null;
}

function priority(why, page) {
  if (!why) return null;
  const sum = why.parts?.length ? [scoreParts(page), partTable(why)] : null;
  const gist = why.gist ? element("p", {}, "For it: ", foreign(why.gist, 400)) : null;
  return section("Why it came when it came", element("p", {}, foreign(why.order, 600)), gist, sum);
}

function partTable(why) {
  const rows = why.parts.map((part) => [
    foreign(part.name, 40),
    share(part.value),
    share(part.weight),
    share(part.contribution),
    percent(part.share),
    part.meaning,
  ]);
  if (Math.abs(why.rest ?? 0) >= 0.0005) rows.push(["the rest", "", "", share(why.rest), "", ""]);
  rows.push(["priority", "", "", share(why.value), "", ""]);
  const body = rows.map(([name, value, weight, contribution, ofAll, meaning]) =>
    element(
      "tr",
      {},
      element(
        "th",
        { scope: "row" },
        name,
        meaning ? element("span", { class: "note" }, foreign(meaning, 200)) : null,
      ),
      number(value),
      number(weight),
      number(contribution),
      number(ofAll),
    ),
  );
  return table(["part", "value", "weight", "adds", "share"], body);
}

function percent(part) {
  return Number.isFinite(part) ? `${Math.round(100 * part)}%` : "";
}

function inlinks(why) {
  if (!why?.inlinks?.length) return null;
  const items = why.inlinks.map((link) =>
    element(
      "li",
      {},
      element("b", { class: "number" }, share(link.score)),
      " “",
      foreign(link.anchor || "(no words)", 80),
      `” on page ${count(link.page)}`,
      ofWorker(link),
      ", ",
      foreign(link.url, 200),
    ),
  );
  const title = `Linked from ${many(why.linked_from, "page")}`;
  return section(
    items.length < why.linked_from ? `${title}; the best ones` : title,
    element("ul", { class: "inlinks" }, items),
  );
}

/** Whose page it is, where several workers share the crawl. */
function ofWorker({ worker, worker_name: name }) {
  if (!worker) return null;
  return [" of ", name ? foreign(name, 80) : `worker ${count(worker)}`];
}

function relevance(why) {
  if (!why) return null;
  const words = `similarity ${share(why.similarity)}, threshold ${share(why.threshold)}${why.nearest ? "; nearest: " : ""}`;
  return section(
    why.relevant ? "Why it is relevant" : "Why it is not relevant",
    element("p", {}, words, why.nearest ? foreign(why.nearest, 200) : null),
    why.note ? element("p", { class: "note" }, foreign(why.note, 400)) : null,
    why.terms?.length ? termTable(why) : null,
  );
}

function termTable(why) {
  const most = Math.max(...why.terms.map(({ contribution }) => contribution), 1e-9);
  const body = why.terms.map(({ term, count: times, contribution }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, foreign(term, 60)),
      number(count(times)),
      number(share(contribution)),
      element(
        "td",
        { class: "meter" },
        element("meter", {
          min: 0,
          max: most,
          value: Math.max(0, contribution),
          "aria-hidden": "true",
        }),
      ),
    ),
  );
  if (why.rest_terms)
    body.push(
      element(
        "tr",
        {},
        element("th", { scope: "row" }, `${many(why.rest_terms, "further term")}`),
        number(""),
        number(share(why.rest)),
        element("td"),
      ),
    );
  return table(["term", "times", "adds", ""], body);
}

function links(page) {
  if (!page?.links) return null;
  const { found, new: fresh, rescored, closed, repeated, dropped } = page.links;
  const rows = [
    ["new", fresh],
    ["waited already", rescored],
    ["dealt with", closed],
    ["repeated", repeated],
    ...Object.entries(dropped ?? {}),
  ];
  const words = rows
    .filter(([, times]) => times)
    .flatMap(([name, times], place) => [place ? ", " : "", `${count(times)} `, foreign(name, 80)]);
  return section(
    "Its links",
    element("p", {}, `${count(found)} found`, words.length ? ": " : "", words),
  );
}

function section(title, ...content) {
  return element("section", {}, element("h3", {}, title), content);
}

function number(text) {
  return element("td", { class: "number" }, text);
}

function table(heads, rows) {
  const head = heads.map((name, place) =>
    element("th", { scope: "col", class: place ? "number" : "" }, name),
  );
  return element(
    "table",
    {},
    element("thead", {}, element("tr", {}, head)),
    element("tbody", {}, rows),
  );
}

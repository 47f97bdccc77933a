/* One crawl, looked at: its heading, figures, curve, latest pages, table, and what stands beside. */

import { Controls } from "./controls.js";
import { aboutWords, noticeWords, stateWord } from "./crawl_words.js";
import { element, fill, foreign, shown, tell } from "./element.js";
import { Figures } from "./figures.js";
import { keyOf, latestRow } from "./page_rows.js";
import { Search } from "./search.js";
import { Side } from "./side.js";
import { Workers } from "./workers.js";

const part = (id) => document.getElementById(id);

export class CrawlView {
  /** `handlers` has functions `say(sentence, wrong)`, `changed(crawl)`, `open(page)` and `go(id)`. */
  constructor(handlers) {
    this.handlers = handlers;
    this.controls = new Controls(handlers.say, handlers.changed);
    this.figures = new Figures(part("figures"));
    this.side = new Side(part("side"));
    this.workers = new Workers(part("workers"), handlers.go);
    this.search = new Search(part("search"), handlers.open, (sentence) => handlers.say(sentence, true));
    this.title = element("h1");
    this.about = element("p", { class: "about" });
    fill(part("heading"), element("div", {}, this.title, this.about), this.controls.root);
  }

  /** Look at another crawl. */
  begin(crawl) {
    this.latest = [];
    this.damage = "";
    this.show(crawl);
    this.search.show(crawl);
  }

  /** The crawl as it is now. */
  show(crawl) {
    document.title = `${shown(crawl.name, 120)} · Scenthound`;
    if (this.called !== crawl.name) this.title.replaceChildren(foreign(crawl.name, 120));
    this.called = crawl.name;
    fill(this.about, stateWord(crawl), ...aboutWords(crawl, this.handlers.go));
    this.workers.show(crawl);
    this.figures.show(crawl);
    this.side.follow(crawl);
    this.controls.show(crawl);
    notice(noticeWords(crawl, this.damage));
  }

  /** Its details: hosts, frontier, settings, the latest relevant pages. */
  detail(details) {
    this.side.show(details);
    this.damage = details.problem;
    notice(noticeWords(details));
    this.latest = details.latest ?? [];
    this.listLatest();
    this.search.arrived(details.recent ?? []);
  }

  listLatest() {
    const list = part("latest-pages");
    const rows = new Map([...list.children].map((row) => [row.dataset.page, row]));
    const wanted = this.latest.map(
      (page) => rows.get(String(keyOf(page))) ?? latestRow(page, this.handlers.open),
    );
    const empty = element("li", { class: "nothing" }, "None yet.");
    if (
      wanted.some((row, place) => row !== list.children[place]) ||
      list.children.length !== wanted.length
    )
      fill(list, wanted.length ? wanted : empty);
  }
}

/** Words about the crawl as a whole; "" takes them away. */
export function notice(words) {
  const line = part("notice");
  line.hidden = !words;
  tell(line, shown(words, 2000));
}

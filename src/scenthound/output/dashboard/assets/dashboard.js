/* The dashboard: what is looked at, what arrives, and which parts show it. */

import { showAll } from "./all_view.js";
import { Refusal, Unanswered, ask, askCrawls, crawlPath } from "./api.js";
import { ALL, Cards } from "./cards.js";
import { Chart } from "./chart.js";
import { CrawlView, notice } from "./crawl_view.js";
import { Curves } from "./curves.js";
import { element } from "./element.js";
import { count } from "./format.js";
import { LineStyles } from "./line_styles.js";
import { Ordering, drawnTogether, onTop, distinctNames } from "./ordering.js";
import { PagePanel } from "./page_panel.js";
import { Status } from "./status.js";

const LIST_EVERY = 2000;
const CARDS_WITH_CURVES = 24;
const NO_CRAWL = "There is no crawl in these folders yet. It is shown as soon as one begins.";
const GONE = "This crawl is not there any more. It is shown again as soon as it is back.";
const part = (id) => document.getElementById(id);

/** The crawl that the address names; "" where it names none, or nothing that can be read. */
function named() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

/** Which crawl this is, and since when: a folder that vanishes and comes back begins twice. */
function beginOf({ id, started_at: at }) {
  return `${id} ${at}`;
}

class Dashboard {
  constructor() {
    this.crawls = [];
    this.current = null; // what is looked at, be it there or gone
    this.begun = null; // the crawl that the view was made for, as beginOf() has it
    this.ordering = new Ordering();
    this.curves = new Curves();
    this.styles = new LineStyles();
    this.status = new Status(part("status"), part("connection"));
    this.cards = new Cards(part("crawls"), (id) => this.go(id));
    this.chart = new Chart(part("chart"), part("choice"));
    this.panel = new PagePanel(part("panel"));
    this.view = new CrawlView({
      say: (sentence, wrong) => this.status.say(sentence, wrong),
      changed: (crawl) => this.changed(crawl),
      open: (page) => this.panel.open(this.crawl(), page),
      go: (id) => {
        scrollTo(0, 0);
        this.go(id);
      },
    });
    this.all = element("section", { class: "block", id: "all", hidden: true });
    part("pages").after(this.all);
    this.listen();
    this.keepUp();
  }

  listen() {
    addEventListener("hashchange", () => {
      this.choose();
      this.keepUp();
    });
    document.addEventListener("visibilitychange", () => this.keepUp());
    part("skip").addEventListener("click", (event) => {
      event.preventDefault(); // the address names the crawl
      part("main").focus();
    });
  }

  crawl() {
    return this.crawls.find(({ id }) => id === this.current);
  }

  /** Crawls that have a card of their own. */
  get top() {
    return onTop(this.crawls);
  }

  /** Ask for the list of crawls again and again, and for more of those that have gone on. */
  async keepUp() {
    clearTimeout(this.again);
    if (this.asking || document.hidden) return;
    this.asking = true;
    try {
      this.listed(await askCrawls());
      this.status.connected("live");
      await this.catchUp();
    } catch (error) {
      this.failed(error);
    }
    this.asking = false;
    this.again = setTimeout(() => this.keepUp(), LIST_EVERY);
  }

  /** Lost is the connection only where nothing answers; a refusal is an answer. */
  failed(error) {
    const isLost = error instanceof Unanswered;
    this.status.connected(isLost ? "lost" : "live");
    if (!isLost) this.status.say(error.message, true);
  }

  listed(crawls) {
    this.crawls = this.ordering.sorted(crawls);
    if (this.current === null) this.choose();
    else this.look();
    this.refresh();
  }

  go(id) {
    if (named() === id) this.choose();
    else location.hash = encodeURIComponent(id);
  }

  choose() {
    const asked = named();
    const isOne = asked && (asked !== ALL || this.top.length > 1);
    const chosen = isOne ? asked : (this.top[0]?.id ?? null);
    if (chosen === this.current) return;
    this.current = chosen;
    this.status.say("");
    this.panel.close();
    this.begun = null;
    this.look();
    this.refresh();
  }

  /** Look at the crawl, if it is there; nothing changes where that is so already. */
  look() {
    const crawl = this.crawl();
    if (!crawl) this.begun = null;
    else if (this.begun !== beginOf(crawl)) this.begin(crawl);
  }

  /** Everything of a crawl, from its first page on. */
  begin(crawl) {
    this.begun = beginOf(crawl);
    this.curves.forget(crawl.id);
    this.view.begin(crawl);
    this.askAll(crawl).catch((error) => this.status.say(error.message, true));
  }

  async askAll(crawl) {
    await this.curves.ask(crawl);
    this.refresh();
    await this.askDetail(crawl.id);
  }

  /** Ask for the curves that have moved and are seen, and all that is shown of the current crawl. */
  async catchUp() {
    const cards = this.top.slice(0, CARDS_WITH_CURVES).map(({ id }) => id);
    const seen = new Set([this.current, ...cards, ...drawnTogether(this.top).ids]);
    const behind = this.crawls.filter((crawl) => seen.has(crawl.id) && this.curves.isBehind(crawl));
    for (const crawl of behind) await this.askAgain(crawl);
    if (behind.length) this.refresh();
  }

  /** One that cannot be read does not keep the others back; its card says what is wrong. */
  async askAgain(crawl) {
    try {
      if (crawl.id === this.current) await this.askAll(crawl);
      else await this.curves.ask(crawl);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }

  async askDetail(id) {
    const details = await ask(crawlPath(id));
    if (id === this.current) this.view.detail(details);
  }

  changed(crawl) {
    this.crawls = this.crawls.map((known) =>
      known.id === crawl.id ? { ...known, ...crawl } : known,
    );
    this.refresh();
  }

  refresh() {
    const top = this.top;
    const drawn = drawnTogether(top);
    const styles = this.styles.of(drawn.ids);
    const one = this.crawl();
    const isAll = this.current === ALL;
    this.cards.show(top, this.curves, styles, one?.team?.id ?? this.current);
    document.body.dataset.view = one ? "one" : isAll ? "all" : "none";
    this.all.hidden = !isAll;
    if (one) this.view.show(one);
    else this.showNone(isAll);
    if (isAll) showAll(this.all, top, styles, (id) => this.go(id));
    if (one) this.chart.showOne({ name: one.name, points: this.pointsOf(one) });
    else if (isAll) this.chart.show(this.together(drawn.ids, styles), this.leftOut(drawn));
    else this.chart.show([]);
  }

  showNone(isAll) {
    document.title = isAll ? "All crawls · Scenthound" : "Scenthound dashboard";
    notice(isAll ? "" : this.current === null ? NO_CRAWL : GONE);
  }

  together(ids, styles) {
    const crawls = this.crawls.filter(({ id }) => ids.includes(id));
    const names = distinctNames(crawls.map(({ name }) => name));
    return crawls.map((crawl, place) => ({
      name: names[place],
      points: this.pointsOf(crawl),
      style: styles.get(crawl.id),
    }));
  }

  pointsOf({ id, summary }) {
    return summary?.fetched ? this.curves.of(id) : [];
  }

  /** Says so where not all curves are drawn. */
  leftOut({ ids, of }) {
    if (ids.length === of) return "";
    const all = count(this.top.length);
    return `${ids.length} of ${all} crawls drawn: those that run, then those begun last.`;
  }
}

new Dashboard();

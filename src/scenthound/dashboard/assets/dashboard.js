/* The dashboard: what is looked at, what arrives, and who is told of it. */

import { showAll } from "./all_view.js";
import { ask, crawlPath } from "./api.js";
import { ALL, Cards, styleOf } from "./cards.js";
import { Chart } from "./chart.js";
import { CrawlView, notice } from "./crawl_view.js";
import { element, tell } from "./element.js";
import { PagePanel } from "./page_panel.js";
import { merged } from "./points.js";
import { Stream } from "./stream.js";

const LIST_EVERY = 2000;
const DETAIL_EVERY = 2000;
const CURVES_SHOWN = 24;
const CONNECTION = {
  waiting: "connecting",
  live: "live",
  lost: "connection lost, trying again",
  polled: "live",
};
const part = (id) => document.getElementById(id);

class Dashboard {
  constructor() {
    this.crawls = [];
    this.points = new Map();
    this.curveOf = new Map(); // id -> pages fetched when its curve was asked for
    this.current = null;
    this.cards = new Cards(part("crawls"), (id) => {
      location.hash = id;
    });
    this.chart = new Chart(part("chart"), part("choice"));
    this.panel = new PagePanel(part("panel"));
    this.view = new CrawlView({
      say: (sentence, wrong) => this.say(sentence, wrong),
      changed: (crawl) => this.changed(crawl),
      open: (n) => this.panel.open(this.crawl(), n),
    });
    this.all = element("section", { class: "block", id: "all", hidden: true });
    part("pages").after(this.all);
    addEventListener("hashchange", () => this.choose());
    addEventListener("pagehide", () => this.stream?.close());
    this.keepUp();
  }

  crawl() {
    return this.crawls.find(({ id }) => id === this.current);
  }

  say(sentence, wrong = false) {
    part("status").classList.toggle("wrong", wrong);
    tell(part("status"), sentence);
    clearTimeout(this.saying);
    this.saying = setTimeout(() => tell(part("status"), ""), 10000);
  }

  connection(state) {
    part("connection").dataset.state = state;
    tell(part("connection"), CONNECTION[state]);
  }

  /** The list of crawls again and again: those that are not looked at, and ones that are new. */
  async keepUp() {
    try {
      const { crawls } = await ask("/api/crawls");
      if (!this.stream || part("connection").dataset.state !== "lost") this.connection("polled");
      this.listed(crawls);
      await this.askCurves();
    } catch (error) {
      this.connection("lost");
    }
    setTimeout(() => this.keepUp(), LIST_EVERY);
  }

  listed(crawls) {
    this.crawls = crawls;
    if (!this.crawl() && this.current !== ALL) this.choose();
    else this.refresh();
    if (!crawls.length)
      notice("There is no crawl in these folders yet. It is shown as soon as one begins.");
  }

  choose() {
    const asked = decodeURIComponent(location.hash.slice(1));
    const known =
      this.crawls.some(({ id }) => id === asked) || (asked === ALL && this.crawls.length > 1);
    const chosen = known ? asked : (this.crawls[0]?.id ?? null);
    if (chosen === this.current) return this.refresh();
    this.current = chosen;
    this.panel.close();
    this.stream?.close();
    this.stream = null;
    return chosen === ALL ? this.lookAtAll() : this.lookAtOne();
  }

  lookAtAll() {
    document.title = "All crawls · Scenthound";
    notice("");
    this.refresh();
    this.askCurves().catch((error) => this.say(error.message, true));
  }

  lookAtOne() {
    const crawl = this.crawl();
    if (!crawl) return this.refresh();
    this.begin(crawl);
    this.stream = new Stream(crawl.id, {
      update: (update) => this.updated(update),
      gone: () => this.gone(),
      connection: (state) => this.connection(state),
    });
    return undefined;
  }

  /** Everything of a crawl, from its first page on. */
  begin(crawl) {
    this.points.delete(crawl.id);
    this.view.begin(crawl);
    this.refresh();
    this.askAll(crawl.id).catch((error) => this.say(error.message, true));
  }

  async askAll(id) {
    await this.askCurve(id, 200);
    await this.askDetail(id);
  }

  /** The folder was taken away: looked at again as soon as the list says that it is back. */
  gone() {
    this.stream.close();
    this.stream = null;
    this.current = null;
    this.say("The folder of this crawl is gone.", true);
    this.refresh();
  }

  async askCurve(id, points) {
    this.curveOf.set(id, this.crawls.find((crawl) => crawl.id === id)?.summary?.fetched ?? 0);
    const curve = await ask(`${crawlPath(id)}/curve`, { points });
    this.points.set(
      id,
      merged(
        curve.points,
        (this.points.get(id) ?? []).filter(([n]) => n > (curve.points.at(-1)?.[0] ?? 0)),
      ),
    );
    this.refresh();
  }

  /** Curves that have moved, except the one whose updates arrive by themselves. */
  async askCurves() {
    const moved = this.crawls
      .slice(0, CURVES_SHOWN)
      .filter(
        ({ id, summary }) =>
          id !== this.current && this.curveOf.get(id) !== (summary?.fetched ?? 0),
      );
    for (const { id } of moved) await this.askCurve(id, 100);
  }

  async askDetail(id) {
    this.detailAt = Date.now();
    const told = await ask(crawlPath(id));
    if (id === this.current) this.view.detail(told);
  }

  updated({ points = [], pages = [], anew = false, ...crawl }) {
    this.connection("live");
    if (anew) return this.begin(crawl);
    if (points.length) this.points.set(crawl.id, merged(this.points.get(crawl.id) ?? [], points));
    this.changed(crawl);
    this.view.arrived(pages);
    if (Date.now() - this.detailAt > DETAIL_EVERY || crawl.state !== "running") {
      this.askDetail(crawl.id).catch((error) => this.say(error.message, true));
    }
    return undefined;
  }

  changed(crawl) {
    this.crawls = this.crawls.map((known) =>
      known.id === crawl.id ? { ...known, ...crawl } : known,
    );
    this.refresh();
  }

  refresh() {
    this.cards.show(this.crawls, this.points, this.current);
    const one = this.crawl();
    document.body.dataset.view = one ? "one" : this.current === ALL ? "all" : "none";
    this.all.hidden = this.current !== ALL;
    if (one) this.view.show(one);
    if (this.current === ALL)
      showAll(this.all, this.crawls, (id) => {
        location.hash = id;
      });
    this.chart.show(this.series());
  }

  series() {
    const chosen = this.crawls.map(({ id, name, summary }, place) => ({
      id,
      name,
      points: (summary?.fetched && this.points.get(id)) || [],
      style: styleOf(place),
    }));
    return this.current === ALL
      ? chosen.slice(0, CURVES_SHOWN)
      : chosen.filter(({ id }) => id === this.current);
  }
}

new Dashboard();

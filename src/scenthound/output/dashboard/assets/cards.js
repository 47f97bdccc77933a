/* The crawls side by side, one card each; a click looks at one, or at all of them. */

import { element, foreign, shown, tell } from "./element.js";
import { count, rate, share } from "./format.js";
import { COLOURS } from "./line_styles.js";
import { sparkline } from "./sparkline.js";

export const ALL = "all";

export class Cards {
  /** Cards in `root`; `chosen(id)` is called when somebody picks one. */
  constructor(root, chosen) {
    this.root = root;
    this.chosen = chosen;
    this.cards = new Map();
  }

  /** Show these crawls, with their curves and the styles of their lines; `current` is looked at. */
  show(crawls, curves, styles, current) {
    const wanted =
      crawls.length > 1 ? [ALL, ...crawls.map(({ id }) => id)] : crawls.map(({ id }) => id);
    for (const id of [...this.cards.keys()].filter((known) => !wanted.includes(known)))
      this.drop(id);
    wanted.filter((id) => !this.cards.has(id)).forEach((id) => this.add(id));
    this.order(wanted);
    crawls.forEach((crawl) => this.write(crawl, curves.of(crawl.id), styles.get(crawl.id)));
    if (this.cards.has(ALL)) this.writeAll(crawls);
    this.cards.forEach((card, id) =>
      card.button.setAttribute("aria-current", String(id === current)),
    );
  }

  order(wanted) {
    const now = [...this.root.children];
    const buttons = wanted.map((id) => this.cards.get(id).button);
    if (buttons.some((button, place) => now[place] !== button))
      this.root.replaceChildren(...buttons);
  }

  drop(id) {
    this.cards.get(id).button.remove();
    this.cards.delete(id);
  }

  add(id) {
    const part = (name, tag = "span") => element(tag, { class: name });
    const card = {
      name: part("name"),
      state: part("state"),
      harvest: part("harvest"),
      rate: part("rate"),
      spark: part("spark"),
    };
    card.bar = element("progress", { max: 1, value: 0, "aria-hidden": "true" });
    card.done = part("done");
    card.button = element(
      "button",
      { type: "button", class: "card", "data-id": id, click: () => this.chosen(id) },
      card.name,
      card.state,
      card.harvest,
      card.spark,
      card.rate,
      card.done,
      card.bar,
    );
    this.cards.set(id, card);
  }

  write(crawl, points, style = COLOURS) {
    const card = this.cards.get(crawl.id);
    if (card.called !== crawl.name) card.name.replaceChildren(foreign(crawl.name, 80));
    card.called = crawl.name;
    card.button.title = `${shown(crawl.name)} (${shown(crawl.folder, 1000)})`;
    card.state.dataset.state = crawl.state;
    tell(card.state, crawl.problem ? `${crawl.state}, problem` : crawl.state);
    tell(card.harvest, share(crawl.harvest));
    tell(card.rate, crawl.rate === null ? "" : `${rate(crawl.rate)} pages/s`);
    const fetched = crawl.summary?.fetched ?? 0;
    tell(card.done, crawl.budget ? `${count(fetched)} of ${count(crawl.budget)}` : count(fetched));
    card.bar.value = crawl.budget ? Math.min(1, fetched / crawl.budget) : 0;
    if (card.points !== points || card.style !== style)
      card.spark.replaceChildren(sparkline(points, style));
    card.points = points;
    card.style = style;
  }

  writeAll(crawls) {
    const card = this.cards.get(ALL);
    const running = crawls.filter(({ state }) => state === "running").length;
    tell(card.name, "All crawls");
    tell(card.state, `${running} running`);
    card.state.dataset.state = running ? "running" : "finished";
    tell(card.harvest, String(crawls.length));
    card.bar.hidden = true;
  }
}

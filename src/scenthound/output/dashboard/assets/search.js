/* The table of pages: words to look for, relevant ones only, further ones when asked. */

import { ask, crawlPath } from "./api.js";
import { element, fill, tell } from "./element.js";
import { many } from "./format.js";
import { Newest } from "./newest.js";
import { tableHead, tableRow } from "./page_rows.js";

const PORTION = 50;
const TYPING = 250;
const LOOKS = 20; // requests without a find before we say so and leave it to the reader

export class Search {
  /** A table in `root`; `open(page)` shows a page, `fail(sentence)` tells what went wrong. */
  constructor(root, open, fail) {
    this.open = open;
    this.fail = fail;
    this.found = 0;
    this.last = new Newest();
    this.build(root);
  }

  build(root) {
    this.query = element("input", {
      type: "search",
      name: "query",
      placeholder: "words of the title or the URL",
      autocomplete: "off",
      maxlength: 200,
      "aria-label": "Search the pages",
      input: () => this.soon(),
    });
    this.relevant = element("input", {
      type: "checkbox",
      name: "relevant",
      change: () => this.start(),
    });
    this.fresh = element("button", {
      type: "button",
      class: "fresh",
      hidden: true,
      click: () => this.start(),
    });
    this.status = element("p", { class: "status-line", role: "status" });
    this.rows = element("tbody");
    this.more = element(
      "button",
      { type: "button", class: "more", hidden: true, click: () => this.next() },
      "More",
    );
    fill(
      root,
      element(
        "search",
        { class: "search" },
        this.query,
        element("label", {}, this.relevant, " relevant only"),
        this.fresh,
      ),
      element(
        "div",
        { class: "scroll" },
        element(
          "table",
          { class: "pages" },
          element("caption", { class: "unseen" }, "Pages, newest first"),
          tableHead(),
          this.rows,
        ),
      ),
      element("div", { class: "foot" }, this.status, this.more),
    );
  }

  /** Look at this crawl. */
  show(crawl) {
    if (this.id !== crawl.id) this.query.value = "";
    this.id = crawl.id;
    this.last = new Newest(crawl);
    this.start();
  }

  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.start(), TYPING);
  }

  start() {
    this.stop();
    this.found = 0;
    this.searched = 0;
    this.cursor = null;
    this.seen();
    return this.next();
  }

  stop() {
    clearTimeout(this.timer);
    this.running?.abort();
  }

  /** Nothing is new any more. */
  seen() {
    this.unseen = 0;
    this.skipped = false;
    this.fresh.hidden = true;
  }

  /** Further pages arrived: they are shown when the reader asks, so that no row moves under a hand. */
  arrived(pages) {
    const { fresh, skipped } = this.last.after(pages);
    if (!fresh.length) return;
    this.skipped ||= skipped; // not all that came was sent
    if (!this.found && !this.query.value) return void this.soon();
    this.unseen += fresh.filter((page) => this.fits(page)).length;
    this.fresh.hidden = !this.unseen && !this.skipped;
    const counted = `Show ${many(this.unseen, "new page")}`;
    tell(this.fresh, this.skipped ? "Look for new pages" : counted);
    tell(this.status, this.words());
  }

  /** Is this a page that is looked for? The server goes by the same rule. */
  fits(page) {
    const text = `${page.title} ${page.url}`.toLowerCase();
    const words = this.query.value.toLowerCase().split(/\s+/);
    return (page.relevant || !this.relevant.checked) && words.every((word) => text.includes(word));
  }

  async next() {
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    this.more.disabled = true;
    try {
      await this.look(running.signal);
    } catch (error) {
      if (error.name !== "AbortError") this.fail(error.message);
    } finally {
      if (this.running === running) this.more.disabled = false;
    }
  }

  async look(signal) {
    const wanted = this.found + PORTION;
    for (let looks = 0; looks < LOOKS && this.found < wanted; looks += 1) {
      const answer = await ask(`${crawlPath(this.id)}/pages`, this.parameters(), signal);
      this.take(answer);
      if (this.cursor === null) return;
    }
  }

  parameters() {
    const asked = {
      query: this.query.value.trim(),
      relevant: this.relevant.checked ? "1" : "0",
      limit: String(PORTION),
    };
    return this.cursor === null ? asked : { ...asked, before: String(this.cursor) };
  }

  take(answer) {
    const rows = answer.pages.map((page) => tableRow(page, this.open));
    if (this.found || this.cursor !== null) this.rows.append(...rows);
    else {
      fill(this.rows, rows);
      this.seen();
    }
    this.found += rows.length;
    this.last.after(answer.pages);
    this.searched += answer.searched ?? rows.length;
    this.cursor = answer.next;
    this.more.hidden = answer.next === null;
    tell(this.status, this.words());
  }

  words() {
    const found = this.found ? `${many(this.found, "page")} shown` : "no such page";
    if (this.cursor === null) return this.wordsOfAll(found);
    return `${found}; ${many(this.searched, "page")} looked through, there are more.`;
  }

  /** Of a search that went through the whole crawl, as it then was. */
  wordsOfAll(found) {
    if (!this.found && !this.query.value && !this.relevant.checked) return "No pages yet.";
    if (!this.fresh.hidden) return `${found}; newer ones have come since.`;
    return this.found ? `${found}, these are all.` : `${found}.`;
  }
}

/* The updates of one crawl. The browser reconnects by itself, unless it is refused: then we do. */

import { crawlPath } from "./api.js";

const PATIENCE = 3000;

export class Stream {
  /** `told` has functions `update(data)`, `gone()` and `connection("live" | "lost")`. */
  constructor(id, told) {
    this.id = id;
    this.told = told;
    this.open();
  }

  open() {
    this.source = new EventSource(`${crawlPath(this.id)}/events`);
    this.source.addEventListener("open", () => this.told.connection("live"));
    this.source.addEventListener("update", (event) => this.told.update(JSON.parse(event.data)));
    this.source.addEventListener("gone", () => this.told.gone());
    this.source.addEventListener("error", () => this.lost());
  }

  lost() {
    this.told.connection("lost");
    if (this.source.readyState !== EventSource.CLOSED) return;
    this.again = setTimeout(() => this.open(), PATIENCE);
  }

  close() {
    clearTimeout(this.again);
    this.source.close();
  }
}

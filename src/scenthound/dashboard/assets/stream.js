/* The updates of one crawl. The browser reconnects by itself, unless it is refused: then we do. */

import { crawlPath } from "./api.js";

const PATIENCE = 3000;

class Stream {
  constructor(id, told) {
    this.id = id;
    this.told = told;
    this.open();
  }

  open() {
    this.source = new EventSource(`${crawlPath(this.id)}/events`);
    this.source.addEventListener("update", (event) => this.told.update(JSON.parse(event.data)));
    this.source.addEventListener("gone", () => this.told.gone());
    this.source.addEventListener("error", () => this.lost());
  }

  lost() {
    if (this.source.readyState === EventSource.CLOSED)
      this.again = setTimeout(() => this.open(), PATIENCE);
    this.told.lost();
  }

  close() {
    clearTimeout(this.again);
    this.source.close();
  }
}

/**
 * The stream of the crawl that is looked at. It holds a connection, and a browser has six of them
 * for all windows of a dashboard: one that nobody sees leaves its own to the others.
 */
export class Watch {
  /** `told` has functions `update(data)`, `gone()` and `lost()`. */
  constructor(told) {
    this.told = told;
    this.stream = null;
    this.crowded = false;
  }

  /** Do updates arrive by themselves? */
  get isOn() {
    return this.stream?.source.readyState === EventSource.OPEN;
  }

  /** Have the updates of this crawl sent, where none are yet. */
  on(id) {
    if (!this.stream && !this.crowded && !document.hidden) this.stream = new Stream(id, this.told);
  }

  off() {
    this.stream?.close();
    this.stream = null;
  }

  /** No connection is left: make room, and stay without until the window is turned to again. */
  giveUp() {
    this.crowded = true;
    this.off();
  }

  /** The window came into sight, or went out of it. */
  turned() {
    this.crowded = false;
    this.off();
  }
}

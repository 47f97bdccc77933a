/* The updates of one crawl. The browser reconnects by itself, unless it is refused: then we do. */

import { crawlPath } from "./api.js";

const PATIENCE = 3000;

class Stream {
  constructor(id, handlers) {
    this.id = id;
    this.handlers = handlers;
    this.open();
  }

  open() {
    this.source = new EventSource(`${crawlPath(this.id)}/events`);
    this.source.addEventListener("update", (event) => this.handlers.update(JSON.parse(event.data)));
    this.source.addEventListener("gone", () => this.handlers.gone());
    this.source.addEventListener("error", () => this.lost());
  }

  lost() {
    if (this.source.readyState === EventSource.CLOSED)
      this.again = setTimeout(() => this.open(), PATIENCE);
    this.handlers.lost();
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
  /** `handlers` has functions `update(data)`, `gone()` and `lost()`. */
  constructor(handlers) {
    this.handlers = handlers;
    this.stream = null;
    this.crowded = false;
  }

  /** Do updates arrive by themselves? */
  get isOn() {
    return this.stream?.source.readyState === EventSource.OPEN;
  }

  /** Have the updates of this crawl sent, where none are yet. */
  on(id) {
    if (!this.stream && !this.crowded && !document.hidden) this.stream = new Stream(id, this.handlers);
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

/* What was said last, and whether anything answers: the line at the top. */

import { shown, tell } from "./element.js";

const SAID_FOR = 10000;
const CONNECTION = { live: "live", lost: "connection lost, trying again" };

export class Status {
  /** `said` is for sentences, `connection` for whether the dashboard answers. */
  constructor(said, connection) {
    this.said = said;
    this.connection = connection;
  }

  /** Say a sentence for some seconds; "" takes the last one away. */
  say(sentence, wrong = false) {
    this.said.classList.toggle("wrong", wrong);
    tell(this.said, shown(sentence, 400));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => tell(this.said, ""), SAID_FOR);
  }

  /** "live" or "lost". */
  connected(state) {
    this.connection.dataset.state = state;
    tell(this.connection, CONNECTION[state]);
  }
}

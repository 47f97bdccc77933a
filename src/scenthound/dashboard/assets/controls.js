/* Pause, resume, stop. Stop asks once more: a crawl that is stopped does not go on by itself. */

import { order } from "./api.js";
import { element, tell } from "./element.js";

const SURE = 6000;

export class Controls {
  /** Buttons for one crawl; `say(sentence)` tells what happened, `changed(crawl)` what it is now. */
  constructor(say, changed) {
    this.say = say;
    this.changed = changed;
    this.buttons = {
      pause: this.button("pause", "Pause"),
      resume: this.button("resume", "Resume"),
      stop: this.button("stop", "Stop"),
    };
    this.why = element("span", { class: "why", id: "controls-why" });
    this.root = element(
      "div",
      { class: "controls", role: "group", "aria-label": "Control the crawl" },
      Object.values(this.buttons),
      this.why,
    );
  }

  button(action, name) {
    const press = () => (action === "stop" && !this.sure ? this.askStop() : this.send(action));
    const made = element(
      "button",
      { type: "button", "data-action": action, "aria-describedby": "controls-why", click: press },
      name,
    );
    if (action === "stop") made.addEventListener("blur", () => this.unsure());
    return made;
  }

  /** The crawl as it is now. */
  show(crawl) {
    if (this.id !== crawl.id) this.unsure();
    this.id = crawl.id;
    for (const [action, button] of Object.entries(this.buttons))
      button.disabled = this.busy || !crawl.controls[action];
    this.buttons.resume.hidden = !crawl.controls.resume && crawl.state !== "paused";
    this.buttons.pause.hidden = !this.buttons.resume.hidden;
    tell(this.why, crawl.controls.why);
    if (this.buttons.stop.disabled) this.unsure();
  }

  askStop() {
    this.sure = true;
    this.buttons.stop.classList.add("sure");
    tell(this.buttons.stop, "Really stop?");
    this.say("Press the button again to stop the crawl.");
    this.timer = setTimeout(() => this.unsure(), SURE);
  }

  unsure() {
    clearTimeout(this.timer);
    this.sure = false;
    this.buttons.stop.classList.remove("sure");
    tell(this.buttons.stop, "Stop");
  }

  async send(action) {
    const id = this.id;
    this.unsure();
    this.busy = true;
    this.buttons[action].disabled = true;
    try {
      const crawl = await order(id, action);
      this.say(`Asked the crawl to ${action}.`);
      this.busy = false;
      this.changed(crawl);
    } catch (error) {
      this.say(error.message, true);
    } finally {
      this.busy = false;
    }
  }
}

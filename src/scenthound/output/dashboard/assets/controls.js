/* Pause, resume, stop. Stop asks once more: a crawl that is stopped does not go on by itself. */

import { order } from "./api.js";
import { element, tell } from "./element.js";

const SURE = 6000;
const RELOAD = "The dashboard was started again since: reload this page, then press once more.";

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
      { class: "controls", role: "group", "aria-label": "Control the crawl", tabindex: -1 },
      Object.values(this.buttons),
      this.why,
    );
  }

  button(action, name) {
    const press = () => {
      if (action === "stop" && !this.sure) this.askStop();
      else if (!this.busy) this.send(action);
    };
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
    const pressed = this.root.contains(document.activeElement) ? document.activeElement : null;
    for (const [action, button] of Object.entries(this.buttons))
      button.disabled = !crawl.controls[action];
    this.buttons.resume.hidden = !crawl.controls.resume && crawl.state !== "paused";
    this.buttons.pause.hidden = !this.buttons.resume.hidden;
    tell(this.why, crawl.controls.why);
    if (this.buttons.stop.disabled) this.unsure();
    if (pressed?.disabled || pressed?.hidden) this.keepFocus(pressed);
  }

  /** A button that is off loses the focus, and who works with keys would begin at the top again. */
  keepFocus({ dataset }) {
    const twin = { pause: this.buttons.resume, resume: this.buttons.pause }[dataset.action];
    (twin && !twin.hidden && !twin.disabled ? twin : this.root).focus();
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
    try {
      const crawl = await order(id, action);
      this.say(`Asked the crawl to ${action}.`);
      this.changed(crawl);
    } catch (error) {
      this.say(error.status === 403 ? RELOAD : error.message, true);
    } finally {
      this.busy = false;
    }
  }
}

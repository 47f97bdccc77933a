/* The chart: which measure, the drawing, a read-out that follows pointer and keys, the numbers. */

import { element, fill, foreign, tell } from "./element.js";
import { count, share } from "./format.js";
import { chartTable } from "./chart_table.js";
import { MARGIN, cursor, plot, swatch } from "./plot.js";
import { MEASURES, nearest, pairs } from "./points.js";

let numbers = 0;

export class Chart {
  /** A chart in `root`, what it shows to be chosen in `choices`; it draws what `show` was given last, anew when the window changes. */
  constructor(root, choices) {
    numbers += 1;
    this.name = `chart-${numbers}`;
    this.measure = MEASURES[0];
    this.series = [];
    this.alone = false;
    this.page = null; // where the reader looks; null: at the end
    this.build(root);
    fill(choices, this.choice());
    new ResizeObserver(() => this.draw()).observe(this.plot);
  }

  build(root) {
    this.readout = element("div", { class: "readout", "data-test": "readout" });
    this.drawing = element("div", { class: "drawing" });
    this.slider = element("input", {
      type: "range",
      class: "slider",
      min: 0,
      max: 1,
      step: 1,
      "aria-label": "Read the curve at page",
      input: () => this.look(Number(this.slider.value)),
    });
    this.plot = element(
      "div",
      { class: "plot", pointermove: (event) => this.point(event) },
      this.drawing,
      this.slider,
    );
    this.plot.addEventListener("pointerleave", () => this.look(null));
    this.slider.addEventListener("blur", () => this.look(null));
    this.table = element("div", { class: "scroll" });
    const rows = element(
      "details",
      { class: "numbers", toggle: () => this.listNumbers() },
      element("summary", {}, "The numbers of the curve"),
      this.table,
    );
    this.rows = rows;
    this.note = element("p", { class: "note", "data-test": "left-out", hidden: true });
    fill(root, this.readout, this.plot, this.note, rows);
  }

  choice() {
    const options = MEASURES.map((measure) =>
      element(
        "label",
        {},
        element("input", {
          type: "radio",
          name: this.name,
          value: measure.key,
          checked: measure === this.measure,
          change: () => {
            this.measure = measure;
            this.draw();
          },
        }),
        element("span", {}, measure.name),
      ),
    );
    return element(
      "fieldset",
      { class: "choice" },
      element("legend", { class: "unseen" }, "What the curve shows"),
      options,
    );
  }

  /** Draw one crawl `{name, points}` with all lines of the measure. */
  showOne(crawl) {
    this.show([crawl], "", true);
  }

  /** Draw these crawls with one line each: `{name, points, style}`. A `note` says what is left out. */
  show(series, note = "", alone = false) {
    this.series = series;
    this.alone = alone;
    this.note.hidden = !note;
    tell(this.note, note);
    this.draw();
  }

  lines() {
    const alone = this.alone;
    const chosen = alone ? this.measure.lines : this.measure.lines.slice(0, 1);
    return this.series.flatMap(({ name, points, style }) =>
      chosen.map((line, rank) => ({
        name: alone ? line.name : name,
        style: alone ? rank : style,
        pairs: pairs(points, line.column),
      })),
    );
  }

  draw() {
    const width = this.plot.clientWidth;
    if (!width) return;
    this.drawn = plot(
      this.lines(),
      this.measure,
      width,
      this.series.map(({ name }) => name).join(", "),
      this.alone,
    );
    fill(this.drawing, this.drawn.svg);
    const last = this.drawn.last;
    this.slider.hidden = last === 0;
    // In CSS, not in pixels: a window that becomes narrow has no moment with a slider over its edge.
    this.slider.style.width = `calc(100% - ${MARGIN.left + this.drawn.right}px)`;
    this.slider.min = this.drawn.first;
    this.slider.max = last;
    this.read();
    this.listNumbers();
  }

  point(event) {
    if (event.pointerType === "mouse" && event.buttons) return; // the slider has it
    const box = this.plot.getBoundingClientRect();
    const inner = box.width - MARGIN.left - this.drawn.right;
    const where = (event.clientX - box.left - MARGIN.left) / (inner || 1);
    this.look(Math.round(Math.min(1, Math.max(0, where)) * this.drawn.last));
  }

  look(page) {
    this.page = page;
    this.read();
  }

  read() {
    const page = this.page ?? this.drawn.last;
    const values = this.drawn.lines.map((line) => ({ line, found: nearest(line.pairs, page) }));
    cursor(this.drawn, this.page === null ? [] : values);
    const at = this.page === null ? this.drawn.last : (values[0]?.found?.[0] ?? page);
    const write = this.measure.share ? share : count;
    const items = values.map(({ line, found }) =>
      element(
        "span",
        { class: "value" },
        swatch(line.style),
        foreign(line.name, 40),
        element("b", {}, write(found?.[1])),
      ),
    );
    fill(
      this.readout,
      element("span", { class: "at" }, this.drawn.last ? `page ${count(at)}` : "no page yet"),
      items,
    );
    if (this.page === null) this.slider.value = this.drawn.last;
    this.slider.setAttribute("aria-valuetext", this.readout.innerText.replaceAll("\n", " "));
  }

  listNumbers() {
    if (this.rows.open && this.drawn) fill(this.table, chartTable(this.drawn.lines, this.measure));
    tell(this.rows.firstChild, this.drawn?.last ? "The numbers of the curve" : "No numbers yet");
  }
}

/* The drawing of a chart: axes, lines with a label at their end, and the mark of the read-out. */

import { drawn, shown } from "./element.js";
import { brief, count, share } from "./format.js";
import { apart, inside, scale, ticks } from "./scale.js";

const HEIGHT = 300;
export const MARGIN = { top: 12, left: 52, bottom: 40 };
const LABELS = 128; // beside the names of measures
const NAMES = 220; // and of crawls, which are longer
const [NARROW, WIDE] = [560, 900];
const LABEL_HEIGHT = 15;
const LETTER = 9; // as wide as one of a tick is at most
const LABEL_LETTER = 8; // and one of a label, with a little room before it

/** The drawing, the first line `filled` or not, and what it was drawn with; `last` is 0 where there is no point. */
export function plot(lines, measure, width, names, filled) {
  const right = width < NARROW ? 12 : filled || width < WIDE ? LABELS : NAMES;
  const all = lines.flatMap((line) => line.pairs);
  const last = Math.max(0, ...all.map(([page]) => page));
  const first = Math.min(last, ...all.map(([page]) => page));
  const levels = ticks(Math.max(0, ...all.map(([, value]) => value)), 5, !measure.share);
  const x = scale(0, last || 1, MARGIN.left, width - right);
  const y = scale(0, levels.at(-1), HEIGHT - MARGIN.bottom, MARGIN.top);
  const marks = drawn("g", { class: "marks" });
  const svg = drawn(
    "svg",
    {
      width,
      height: HEIGHT,
      viewBox: `0 0 ${width} ${HEIGHT}`,
      role: "img",
      "aria-label": described(lines, measure, last, names),
    },
    drawn("title", {}, `${measure.name}: ${shown(names)}`),
    axes(measure, levels, last, x, y, width, right),
    lines.map((line) => curve(line, x, y, filled)),
    right >= LABELS ? labels(lines, x, y, width, right) : null,
    marks,
  );
  return { svg, lines, x, y, marks, first, last, right };
}

function described(lines, measure, last, names) {
  if (!last) return `${measure.name} of ${shown(names)}: nothing fetched yet.`;
  const ends = lines
    .filter((line) => line.pairs.length)
    .map((line) => `${shown(line.name, 40)} ${end(line, measure)}`);
  return `${measure.name} of ${shown(names)} over ${count(last)} pages; at the end: ${ends.join(", ")}.`;
}

function end(line, measure) {
  const value = line.pairs.at(-1)[1];
  return measure.share ? share(value) : count(value);
}

function axes(measure, levels, last, x, y, width, right) {
  const edge = width - right;
  const digits = Math.max(1, ...levels.map((level) => (String(level).split(".")[1] ?? "").length));
  const write = (level) => (measure.share ? share(level, Math.min(digits, 6)) : brief(level));
  const across = levels.map((level) =>
    drawn(
      "g",
      {},
      drawn("line", {
        class: level ? "grid" : "axis",
        x1: MARGIN.left,
        x2: edge,
        y1: y(level),
        y2: y(level),
      }),
      drawn(
        "text",
        { class: "tick", x: MARGIN.left - 8, y: y(level) + 4, "text-anchor": "end" },
        write(level),
      ),
    ),
  );
  const along = (last ? inside(last, edge < 500 ? 4 : 7) : []).map((page) =>
    drawn(
      "text",
      {
        class: "tick",
        ...placed(x(page), brief(page), width),
        y: HEIGHT - MARGIN.bottom + 18,
      },
      brief(page),
    ),
  );
  const middle = (MARGIN.left + edge) / 2;
  const upright = {
    class: "axis-name",
    x: -(MARGIN.top + HEIGHT - MARGIN.bottom) / 2,
    y: 11,
    "text-anchor": "middle",
    transform: "rotate(-90)",
  };
  return drawn(
    "g",
    { "aria-hidden": "true" },
    across,
    along,
    drawn(
      "text",
      { class: "axis-name", x: middle, y: HEIGHT - 4, "text-anchor": "middle" },
      "pages fetched",
    ),
    drawn("text", upright, measure.axis),
  );
}

/** Below its tick; to the left of it where it would stand over the edge of the paper. */
function placed(middle, words, width) {
  const over = middle + (words.length * LETTER) / 2 > width;
  return over ? { x: width - 2, "text-anchor": "end" } : { x: middle, "text-anchor": "middle" };
}

function curve(line, x, y, filled) {
  if (!line.pairs.length) return null;
  const places = line.pairs.map(([page, value]) => `${x(page).toFixed(1)},${y(value).toFixed(1)}`);
  const [firstX, lastX] = [line.pairs[0], line.pairs.at(-1)].map(([page]) => x(page).toFixed(1));
  const below = `M${firstX},${y(0)}L${places.join("L")}L${lastX},${y(0)}Z`;
  const [endX, endY] = places.at(-1).split(",");
  return drawn(
    "g",
    { class: `line line-${line.style}`, "aria-hidden": "true" },
    filled && line.style === 0 ? drawn("path", { class: "area", d: below }) : null,
    drawn("path", { class: "stroke", d: `M${places.join("L")}` }),
    drawn("circle", { class: "end", cx: endX, cy: endY, r: 3 }),
  );
}

function labels(lines, x, y, width, right) {
  const edge = width - right;
  const longest = Math.floor(right / LABEL_LETTER) - 2;
  const ended = lines.filter((line) => line.pairs.length);
  const wanted = ended.map((line) => y(line.pairs.at(-1)[1]) + 4);
  const places = apart(wanted, LABEL_HEIGHT, MARGIN.top + 4, HEIGHT - MARGIN.bottom);
  return ended.map((line, rank) =>
    drawn(
      "g",
      { class: `line-${line.style}`, "aria-hidden": "true" },
      leader(x(line.pairs.at(-1)[0]), wanted[rank] - 4, edge, places[rank] - 4),
      drawn("text", { class: "label", x: edge + 10, y: places[rank] }, shown(line.name, longest)),
    ),
  );
}

/** From the end of a curve to its label, where they are not side by side. */
function leader(fromX, fromY, edge, toY) {
  if (edge - fromX < 2 && Math.abs(fromY - toY) < 3) return null;
  return drawn("path", {
    class: "leader",
    d: `M${fromX + 5},${fromY}L${edge},${fromY}L${edge + 8},${toY}`,
  });
}

/** Mark these values of the lines; none takes the marks away. */
export function cursor({ marks, x, y }, values) {
  const found = values.filter(({ found: pair }) => pair);
  const dots = found.map(({ line, found: [page, value] }) =>
    drawn("circle", {
      class: `dot line-${line.style}`,
      cx: x(page),
      cy: y(value),
      r: 4.5,
    }),
  );
  const page = found[0]?.found[0];
  const upright = found.length
    ? [
        drawn("line", {
          class: "cursor",
          x1: x(page),
          x2: x(page),
          y1: MARGIN.top,
          y2: HEIGHT - MARGIN.bottom,
        }),
      ]
    : [];
  marks.replaceChildren(...upright, ...dots);
}

/** A piece of a line, as it is drawn: what belongs to what without colour, too. Its room alone where none is. */
export function swatch(style) {
  return drawn(
    "svg",
    { class: `swatch line line-${style}`, width: 26, height: 8, "aria-hidden": "true" },
    style === undefined ? null : drawn("path", { class: "stroke", d: "M1,4H25" }),
  );
}

/* The harvest curve of a card: small, without axes. */

import { drawn } from "./element.js";
import { pairs } from "./points.js";
import { scale } from "./scale.js";

const [WIDTH, HEIGHT] = [84, 30];
const HARVEST = 2;

/** A small drawing of the harvest rate; an empty one where there are no points yet. */
export function sparkline(points, style) {
  const found = pairs(points, HARVEST);
  const highest = Math.max(0.01, ...found.map(([, value]) => value));
  const x = scale(0, found.at(-1)?.[0] ?? 1, 1, WIDTH - 3);
  const y = scale(0, highest, HEIGHT - 2, 3);
  const places = found.map(([page, value]) => `${x(page).toFixed(1)},${y(value).toFixed(1)}`);
  return drawn(
    "svg",
    { class: `sparkline line line-${style}`, width: WIDTH, height: HEIGHT, "aria-hidden": "true" },
    drawn("line", { class: "axis", x1: 0, x2: WIDTH, y1: HEIGHT - 1, y2: HEIGHT - 1 }),
    places.length > 1 ? drawn("path", { class: "stroke", d: `M${places.join("L")}` }) : null,
  );
}

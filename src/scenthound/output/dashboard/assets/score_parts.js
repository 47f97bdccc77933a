/* Why a page was fetched: the parts of its priority, as a bar and as numbers. */

import { drawn, element, foreign, shown } from "./element.js";
import { share } from "./format.js";

const [WIDTH, HEIGHT, GAP] = [160, 8, 1.5];
const LARGEST = 1e9; // what is larger is drawn as large: sums stay numbers

/** Bar and numbers; words where there are no parts.
 *
 * Parts are shown as `value x weight`; where several speak of the same thing, things are shown by
 * what they add. */
export function scoreParts(page) {
  const parts = together(
    (page.parts ?? []).filter(
      ([, value, weight]) => Number.isFinite(value) && Number.isFinite(weight),
    ),
  );
  if (!parts.length) return element("p", { class: "parts nothing" }, withoutParts(page));
  return element(
    "div",
    { class: "parts" },
    bar(parts),
    element("p", { class: "part-numbers" }, parts.map(numbers)),
  );
}

/** Parts by what they speak of, in the order that these come in: name, what it adds, in words. */
function together(parts) {
  const things = new Map();
  for (const [name, value, weight, thing = name] of parts)
    things.set(thing, (things.get(thing) ?? 0) + value * weight);
  if (things.size < parts.length)
    return [...things].map(([thing, adds]) => [thing, adds, ` ${share(adds, 2)}`]);
  return parts.map(([name, value, weight]) => [
    name,
    value * weight,
    ` ${share(value, 2)} × ${share(weight, 2)}`,
  ]);
}

function withoutParts(page) {
  if (page.priority === null) return page.depth === 0 ? "a seed" : "no score";
  return `priority ${share(page.priority)}`;
}

function bar(parts) {
  const sizes = parts.map(([, adds]) => Math.min(LARGEST, Math.max(0, adds)));
  const whole = Math.max(
    1,
    sizes.reduce((sum, size) => sum + size, 0),
  );
  let at = 0;
  const pieces = sizes.map((size, place) => {
    const width = (size / whole) * WIDTH;
    const piece = drawn(
      "rect",
      {
        class: `part-${place % 6}`,
        x: at,
        y: 0,
        width: Math.max(0, width - GAP),
        height: HEIGHT,
        rx: 1,
      },
      drawn("title", {}, `${shown(parts[place][0], 40)} ${share(size)}`),
    );
    at += width;
    return piece;
  });
  return drawn(
    "svg",
    {
      class: "part-bar",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    },
    drawn("rect", { class: "part-ground", width: WIDTH, height: HEIGHT, rx: 1 }),
    pieces,
  );
}

function numbers([name, , words], place) {
  return element(
    "span",
    { class: "part" },
    element("i", { class: `key part-${place % 6}`, "aria-hidden": "true" }),
    foreign(name, 40),
    words,
  );
}

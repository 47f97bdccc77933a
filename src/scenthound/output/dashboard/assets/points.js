/* Points of a curve, as the server gives them, and what can be drawn of them. */

const [N, RELEVANT, HARVEST, RECENT, SIMILARITY, WAITING] = [0, 1, 2, 3, 4, 5];

/** What the chart can show: each measure has one or more lines, the first is drawn full. */
export const MEASURES = [
  {
    key: "harvest",
    name: "Harvest rate",
    axis: "share of pages that are relevant",
    share: true,
    lines: [
      { name: "all pages", column: HARVEST },
      { name: "last 100 pages", column: RECENT },
    ],
  },
  {
    key: "relevant",
    name: "Relevant pages",
    axis: "relevant pages",
    share: false,
    lines: [{ name: "relevant", column: RELEVANT }],
  },
  {
    key: "similarity",
    name: "Mean similarity",
    axis: "mean similarity to the topic",
    share: true,
    lines: [{ name: "similarity", column: SIMILARITY }],
  },
  {
    key: "waiting",
    name: "Waiting",
    axis: "URLs that wait",
    share: false,
    lines: [{ name: "waiting", column: WAITING }],
  },
];

/** Pairs [page, value] of one column; points without the value are left out. */
export function pairs(points, column) {
  return points
    .filter((point) => Number.isFinite(point[column]))
    .map((point) => [point[N], point[column]]);
}

/** The pair whose page is nearest; null where there is none. */
export function nearest(found, page) {
  let best = null;
  for (const pair of found) {
    if (best === null || Math.abs(pair[0] - page) <= Math.abs(best[0] - page)) best = pair;
  }
  return best;
}

/** At most so many of the items, evenly spread, the first and the last one among them. */
export function spread(items, most) {
  if (items.length <= most) return items;
  const step = (items.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, place) => items[Math.round(place * step)]);
}

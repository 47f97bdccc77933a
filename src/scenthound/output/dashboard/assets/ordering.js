/* Which crawls come first, and which are drawn together: those that go on, then the newest. */

const GOING_ON = new Set(["running", "paused", "stopping"]);
const MOST_DRAWN = 8; // as many lines as can be distinguished
const BREAKS = /(?<=[\s/_.-])/u; // after each of them a name goes on with another word

export class Ordering {
  constructor() {
    this.first = new Set(); // crawls that went on while this window looked: none moves back at its end
  }

  /** Those that go on first, the others as they were given. */
  sorted(crawls) {
    crawls.filter(isGoingOn).forEach(({ id }) => this.first.add(id));
    const isFirst = ({ id }) => this.first.has(id);
    return [...crawls.filter(isFirst), ...crawls.filter((crawl) => !isFirst(crawl))];
  }
}

/** The crawls that stand for themselves: workers of a crawl are shown in it. */
export function onTop(crawls) {
  const ids = new Set(crawls.map(({ id }) => id));
  return crawls.filter(({ team }) => !team || !ids.has(team.id));
}

/** The ids of the crawls to draw in one chart, of those that have pages, and how many these are. */
export function drawnTogether(crawls, most = MOST_DRAWN) {
  const drawable = crawls.filter((crawl) => crawl.summary?.fetched || isGoingOn(crawl));
  const best = drawable.toSorted((a, b) => isGoingOn(b) - isGoingOn(a) || begun(b) - begun(a));
  return { ids: best.slice(0, most).map(({ id }) => id), of: drawable.length };
}

/** The names without the words that all of them begin with. */
export function distinctNames(names) {
  if (names.length < 2) return names;
  const pieces = names.map((name) => name.split(BREAKS));
  const shortest = Math.min(...pieces.map((words) => words.length));
  let same = 0;
  while (same < shortest - 1 && pieces.every((words) => words[same] === pieces[0][same])) same += 1;
  return pieces.map((words) => words.slice(same).join(""));
}

function isGoingOn({ state }) {
  return GOING_ON.has(state);
}

function begun(crawl) {
  return crawl.started_at ?? 0;
}

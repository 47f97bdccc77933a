/* The newest page that is known of a crawl, or of each of its workers: which ones are new? */

export class Newest {
  /** Of this crawl, as it now stands; without one, of none. */
  constructor(crawl = {}) {
    const workers = (crawl.workers ?? []).map(({ number, fetched }) => [number, fetched]);
    this.last = new Map([[0, crawl.summary?.fetched ?? 0], ...workers]);
  }

  /** Those of the pages that are new, and whether others came before them that are not sent. */
  after(pages) {
    const fresh = pages.filter((page) => page.n > this.of(page));
    const first = new Map(); // worker -> its first new page
    for (const page of fresh)
      first.set(workerOf(page), Math.min(page.n, first.get(workerOf(page)) ?? Infinity));
    const skipped = [...first].some(([worker, n]) => n > (this.last.get(worker) ?? 0) + 1);
    for (const page of fresh) this.last.set(workerOf(page), Math.max(page.n, this.of(page)));
    return { fresh, skipped };
  }

  of(page) {
    return this.last.get(workerOf(page)) ?? 0;
  }
}

function workerOf({ worker }) {
  return worker?.number ?? 0;
}

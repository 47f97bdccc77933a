/* What the server says and is told. */

const token = document.querySelector("meta[name=scenthound-token]")?.content ?? "";

/** The answer to a question; an Error with the server's sentence where there is none. */
export async function ask(path, parameters = {}, signal = undefined) {
  const query = new URLSearchParams(parameters).toString();
  const address = query ? `${path}?${query}` : path;
  return answered(fetch(address, { headers: { Accept: "application/json" }, signal }));
}

/** Tell a crawl to pause, resume or stop; the crawl as it then is. */
export async function order(id, action) {
  const headers = { Accept: "application/json", "X-Scenthound-Token": token };
  return answered(fetch(`${crawlPath(id)}/${action}`, { method: "POST", headers }));
}

/** Where a crawl is. */
export function crawlPath(id) {
  return `/api/crawls/${encodeURIComponent(id)}`;
}

async function answered(request) {
  const response = await request.catch((error) => {
    if (error.name === "AbortError") throw error;
    throw new Error("The dashboard does not answer. Is it still running?");
  });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(body.error ?? `The dashboard answered ${response.status}.`);
  return body;
}

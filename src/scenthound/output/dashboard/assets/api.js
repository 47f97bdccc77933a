/* Requests to the server. */

const token = document.querySelector("meta[name=scenthound-token]")?.content ?? "";
const PATIENCE = 5000;

/** Nothing answered: the server is gone, or too slow. */
export class Unanswered extends Error {
  constructor() {
    super("The dashboard does not answer. Is it still running?");
  }
}

/** The server said why not, with a status. */
export class Refusal extends Error {
  constructor(status, sentence) {
    super(sentence ?? `The dashboard answered ${status}.`);
    this.status = status;
  }
}

/** The answer to a question; an Error with the server's sentence where there is none. */
export async function ask(path, parameters = {}, signal = undefined) {
  const query = new URLSearchParams(parameters).toString();
  const address = query ? `${path}?${query}` : path;
  return answered(address, { headers: { Accept: "application/json" }, signal });
}

/** All crawls; waits a few seconds for them, no more. */
export async function askCrawls() {
  return (await ask("/api/crawls", {}, AbortSignal.timeout(PATIENCE))).crawls ?? [];
}

/** Tell a crawl to pause, resume or stop; the crawl as it then is. */
export async function order(id, action) {
  const headers = { Accept: "application/json", "X-Scenthound-Token": token };
  const signal = AbortSignal.timeout(PATIENCE);
  return answered(`${crawlPath(id)}/${action}`, { method: "POST", headers, signal });
}

/** Where a crawl is. */
export function crawlPath(id) {
  return `/api/crawls/${encodeURIComponent(id)}`;
}

async function answered(address, options) {
  const { response, body } = await received(address, options).catch((error) => {
    if (error.name === "AbortError") throw error; // the reader wants something else by now
    throw new Unanswered();
  });
  if (!response.ok || body === null) throw new Refusal(response.status, body?.error);
  return body;
}

async function received(address, options) {
  const response = await fetch(address, options);
  return { response, body: parsed(await response.text()) };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

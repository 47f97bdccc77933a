/* Elements from plain values. What a crawl brings goes in as text, never as markup. */

const SVG = "http://www.w3.org/2000/svg";
const LONGEST = 300;
// Controls, what is drawn as nothing, marks that turn the text around; emoji need the selectors.
const UNSEEN = /(?![\ufe00-\ufe0f])[\p{Cc}\p{Cs}\p{DI}\p{Zl}\p{Zp}\ufff9-\ufffb]/gu;
const PILED_UP = /(\p{M}{4})\p{M}+/gu; // marks on one letter, drawn over the lines above it

/** An element with attributes (none where the value is null or false) and children. */
export function element(tag, attributes = {}, ...children) {
  return furnished(document.createElement(tag), attributes, children);
}

/** The same for a drawing. */
export function drawn(tag, attributes = {}, ...children) {
  return furnished(document.createElementNS(SVG, tag), attributes, children);
}

function furnished(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== null && value !== false && value !== undefined)
      made.setAttribute(name, value);
  }
  made.append(...present(children));
  return made;
}

function present(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined);
}

/** Text of a crawl as it can be shown: nothing invisible in it, no piles, not without end. */
export function shown(text, longest = LONGEST) {
  const enough = String(text ?? "").slice(0, 4 * longest + 4);
  const letters = [...enough.replace(UNSEEN, "\ufffd").replace(PILED_UP, "$1")];
  return letters.length > longest ? `${letters.slice(0, longest).join("")}…` : letters.join("");
}

/** Text of a crawl, kept apart from the direction of the words around it. */
export function foreign(text, longest = LONGEST) {
  return element("bdi", {}, shown(text, longest));
}

/** A URL of a crawl: a link to a new tab where it is http(s), else only text. */
export function outLink(url, label = url) {
  const target = webAddress(url);
  if (target === null) return element("span", { class: "url" }, foreign(label));
  const rel = "noopener noreferrer nofollow";
  return element("a", { class: "url", href: target, target: "_blank", rel }, foreign(label));
}

/** The address as a browser writes it; null where it is not http(s). */
export function webAddress(url) {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  return parsed && ["http:", "https:"].includes(parsed.protocol) ? parsed.href : null;
}

/** Put these children in the place of all there were. */
export function fill(parent, ...children) {
  parent.replaceChildren(...present(children));
}

/** Set the text of an element, only where it is another one: readers of screens hear changes. */
export function tell(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/* Figures and times as words. */

const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const NOTHING = "–";

/** A count, with separators; a dash for none. */
export function count(value) {
  return known(value) ? WHOLE.format(value) : NOTHING;
}

/** A share, similarity or score with so many decimals; a dash for none. */
export function share(value, digits = 3) {
  return known(value) ? value.toFixed(digits) : NOTHING;
}

/** Pages a second; a dash for none. */
export function rate(value) {
  if (!known(value)) return NOTHING;
  return value >= 100 ? count(value) : value.toFixed(value >= 10 ? 1 : 2);
}

/** A moment of a live crawl, as the reader's clock has it; "" for none. */
export function moment(seconds) {
  if (!known(seconds)) return "";
  const at = new Date(seconds * 1000);
  return Number.isNaN(at.getTime())
    ? ""
    : at.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });
}

/** "1 page", "2 pages". */
export function many(number, word, plural = `${word}s`) {
  return `${count(number)} ${number === 1 ? word : plural}`;
}

function known(value) {
  return typeof value === "number" && Number.isFinite(value);
}

/* Figures and times as words. */

const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const BRIEF = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const NOTHING = "–";
const [BRIEF_FROM, ABSURD_FROM] = [1e5, 1e15];

/** A count, with separators; a dash for none. */
export function count(value) {
  if (!known(value)) return NOTHING;
  return isAbsurd(value) ? value.toExponential(1) : WHOLE.format(value);
}

/** A count where there is little room: 100,000 is 100K. */
export function brief(value) {
  return known(value) && value >= BRIEF_FROM && !isAbsurd(value)
    ? BRIEF.format(value)
    : count(value);
}

/** A share, similarity or score with so many decimals; a dash for none. */
export function share(value, digits = 3) {
  if (!known(value)) return NOTHING;
  return isAbsurd(value) ? value.toExponential(1) : value.toFixed(digits);
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

/** How long ago a moment was, roughly; a dash for none. */
export function ago(seconds, now) {
  if (!known(seconds)) return NOTHING;
  const past = Math.max(0, now - seconds);
  if (past < 10) return "now";
  if (past < 90) return `${Math.round(past / 10) * 10} s ago`;
  if (past < 5400) return `${Math.round(past / 60)} min ago`;
  return past < 172800 ? `${Math.round(past / 3600)} h ago` : `${Math.round(past / 86400)} days ago`;
}

/** "1 page", "2 pages". */
export function many(number, word, plural = `${word}s`) {
  return `${count(number)} ${number === 1 ? word : plural}`;
}

function isAbsurd(value) {
  return Math.abs(value) >= ABSURD_FROM;
}

function known(value) {
  return typeof value === "number" && Number.isFinite(value);
}

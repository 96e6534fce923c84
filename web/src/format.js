// Numbers and their units as people read them.

const formats = new Map();

function rounded(value, digits) {
  if (!formats.has(digits)) formats.set(digits, new Intl.NumberFormat("en", { maximumSignificantDigits: digits }));
  return formats.get(digits).format(value).replaceAll(",", "\u202f");
}

export function number(value, digits = 4) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  // Whole numbers stay whole.
  return Number.isInteger(value) ? rounded(value, 21) : rounded(value, digits);
}

export function percent(share, digits = 3) {
  return `${number(100 * share, digits)}%`;
}

const durations = [["ns", 1e-9], ["µs", 1e-6], ["ms", 1e-3], ["s", 1]];
const spans = [...durations, ["min", 60], ["h", 3600], ["d", 86400]];

function fitting(units, seconds) {
  return [...units].reverse().find(([, size]) => Math.abs(seconds) >= 0.9995 * size) ?? units[0];
}

// The unit for values up to so many seconds: {name, of(seconds)}.
export function timeUnit(seconds, units = durations) {
  const [name, size] = fitting(units, seconds);
  return { name, size, of: (value) => value / size };
}

// For points in time and long spans: minutes and hours, too; at least two of the unit.
export function spanUnit(seconds) {
  return timeUnit(seconds / 2, spans);
}

export function duration(seconds, digits = 3) {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return "–";
  if (seconds === 0) return "0 s";
  const unit = timeUnit(seconds);
  return `${number(unit.of(seconds), digits)} ${unit.name}`;
}

// "1 in 1 000", "all", "5%"
export function shareOf(share) {
  if (share >= 1) return "all";
  const times = 1 / share;
  const power = Math.round(Math.log10(times));
  if (Math.abs(times / 10 ** power - 1) < 1e-6) return `1 in ${number(10 ** power)}`;
  return percent(share);
}

// Names as words: "least_work_left" -> "least work left", "<=" -> "≤".
export function spoken(text) {
  return String(text).replaceAll("_", " ").replaceAll("<=", "≤").replaceAll(">=", "≥");
}

const quantityNames = { response: "response time", wait: "wait", rejected: "rejected" };
const statisticNames = { p999: "p99.9", max: "largest" };

// "p99_response" -> {statistic: "p99", quantity: "response", text: "p99 response time"}
export function objective(name) {
  const split = name.indexOf("_");
  if (split < 0) return { quantity: name, statistic: "mean", text: spoken(name), isTime: false };
  const statistic = name.slice(0, split);
  const quantity = name.slice(split + 1);
  const text = `${statisticNames[statistic] ?? statistic} ${quantityNames[quantity] ?? spoken(quantity)}`;
  return { statistic, quantity, text, isTime: true };
}

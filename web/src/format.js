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
  // What is not known is no share of 0.
  return Number.isFinite(share) ? `${number(100 * share, digits)}%` : number(share);
}

const durations = [["ns", 1e-9], ["µs", 1e-6], ["ms", 1e-3], ["s", 1]];
const spans = [...durations, ["min", 60], ["h", 3600], ["d", 86400]];

function fitting(units, seconds) {
  return [...units].reverse().find(([, size]) => Math.abs(seconds) >= 0.9995 * size) ?? units[0];
}

// The unit for values up to so many seconds: {name, of(seconds)}.
export function timeUnit(seconds, units = durations) {
  const [name, size] = fitting(units, seconds);
  return { name, size, of: (value) => (value === null ? null : value / size) };
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

// Sentences of the command as a page sets them: "p99 response <= 4.00 s" -> "p99 response ≤ 4 s".
export function prose(sentence) {
  return spoken(plain(sentence));
}

// The same for text with names that must stay as they are.
export function plain(text) {
  return text.replaceAll("<=", "≤").replace(/(\d)\.0+ (ns|us|ms|s|min|h|d)\b/g, "$1 $2").replace(/(\d) us\b/g, "$1 µs")
    .replace(/\d{5,}(?= (tasks|rows|per))/g, (digits) => number(Number(digits)));
}

// Names as words: "least_work_left" -> "least work left", "<=" -> "≤".
export function spoken(text) {
  return String(text).replaceAll("_", " ").replaceAll("<=", "≤").replaceAll(">=", "≥");
}

// Round numbers from low to high for a logarithmic axis: all digits, 1-2-5, 1-3 or powers of ten, whatever has room where
// `most` at equal distances would fit.
export function logTicks(low, high, most) {
  const ticks = (digits) => {
    const found = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); ++power)
      for (const digit of digits) {
        const tick = Number(`${digit}e${power}`);
        if (tick >= low && tick <= high) found.push(tick);
      }
    return found;
  };
  const choices = [[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 5], [1, 3], [1]].map(ticks);
  const fits = (found) => found.length > 1 && found.every((tick, i) => i === 0 || Math.log(tick / found[i - 1]) / Math.log(high / low) > 0.85 / most);
  return choices.find(fits) ?? choices.at(-1);
}

// Round numbers from 0 up, some five of them, round in the unit if there is one.
export function linearTicks(high, unit = null) {
  const top = unit ? unit.of(high) : high;
  const power = 10 ** Math.floor(Math.log10(top / 5));
  const step = power * [1, 2, 5, 10].find((digit) => digit * power * 7 >= top);
  const ticks = [];
  for (let i = 0; i * step <= top; ++i) ticks.push(i * step * (unit ? unit.size : 1));
  return ticks;
}

// `count` round numbers below the value, ascending: 1, 2 or 5 times powers of ten.
export function roundBelow(value, count) {
  const found = [];
  for (let power = Math.floor(Math.log10(value)); found.length < count; --power)
    for (const digit of [5, 2, 1]) {
      const step = Number(`${digit}e${power}`);
      if (step < value && found.length < count) found.unshift(step);
    }
  return found;
}

// A verdict in a table; and behind a number, where it has to be short.
const verdicts = { met: ["yes", " ✓"], missed: ["no", " ✗"], unclear: ["unclear", " ?"], "not measured": ["not measured", " (not measured)"] };
export function verdictText(verdict) {
  return verdicts[verdict]?.[0] ?? "–";
}
export function verdictMark(verdict) {
  return verdicts[verdict]?.[1] ?? "";
}

// Seconds of "1.5 ms" or "1h30m", NaN of what is no duration.
export function parseDuration(text) {
  const term = "([\\d.]+(?:e[-+]?\\d+)?)\\s*(ns|us|µs|ms|s|min|m|h|d)";
  if (!new RegExp(`^(${term})+$`).test(text.trim())) return NaN;
  const sizeOf = (unit) => spans.find(([name]) => name === unit.replace("us", "µs").replace(/^m$/, "min"))[1];
  return [...text.matchAll(new RegExp(term, "g"))].reduce((sum, [, number, unit]) => sum + Number(number) * sizeOf(unit), 0);
}

// A name of bounded length, for places without room to wrap; its end may tell it from others.
export function shortened(name, most = 26) {
  const text = spoken(name);
  return text.length <= most ? text : `${text.slice(0, most - 12).trimEnd()}…${text.slice(-11).trimStart()}`;
}

const quantityNames = { response: "response time", wait: "wait", rejected: "rejected" };
const statisticNames = { p999: "p99.9", max: "largest" };

// "p99_response" -> {statistic: "p99", quantity: "response", text: "p99 response time"}; of one class if that is given
export function objective(name, ofClass) {
  const split = name.indexOf("_");
  const whose = ofClass ? ` of ${ofClass}` : "";
  if (split < 0) return { quantity: name, statistic: "mean", text: spoken(name) + whose, isTime: false };
  const statistic = name.slice(0, split);
  const quantity = name.slice(split + 1);
  const text = `${statisticNames[statistic] ?? statistic} ${quantityNames[quantity] ?? spoken(quantity)}${whose}`;
  return { statistic, quantity, text, isTime: true };
}

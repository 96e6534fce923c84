// A study's points as series along one swept key.
import { parseDuration } from "./format.js";

// The key along which answers are given, as the command chooses it: the number of workers, or what changes fastest.
function mainKey(points) {
  const keys = Object.keys(points[0].values);
  return keys.includes("pool.workers") ? "pool.workers" : keys[keys.length - 1];
}

// Where values belong on an axis: numbers and durations by their size, anything else by name.
function positionsOf(values) {
  for (const read of [(text) => (text.trim() === "" ? NaN : Number(text)), parseDuration])
    if (values.every((value) => Number.isFinite(read(value)))) return read;
  return (value) => value;
}

// The points in groups that differ in the main key only: {key, numeric, groups: [{name, points: [{index, x, value}]}]};
// null without a sweep, or where nothing varies along the key.
export function seriesOf({ points }) {
  if (points.length < 2) return null;
  const key = mainKey(points);
  const position = positionsOf(points.map(({ values }) => values[key]));
  const groups = new Map();
  points.forEach(({ values }, index) => {
    const name = Object.entries(values).filter(([other]) => other !== key).map(([other, value]) => `${other} = ${value}`).join(", ");
    if (!groups.has(name)) groups.set(name, { name, points: [] });
    groups.get(name).points.push({ index, value: values[key], x: position(values[key]) });
  });
  const numeric = typeof position(points[0].values[key]) === "number";
  for (const group of groups.values()) if (numeric) group.points.sort((a, b) => a.x - b.x);
  return { key, numeric, groups: [...groups.values()] };
}

export function pointName({ values }) {
  return Object.entries(values).map(([key, value]) => `${key} = ${value}`).join(", ");
}

// "workers" for pool.workers; other keys as they are.
export function keyName(key) {
  return key === "pool.workers" ? "workers" : key;
}

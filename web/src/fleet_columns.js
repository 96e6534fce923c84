// What only fleets have whose callers give up, try again or want answers in time, whose workers have caches or whose size changes.
import { number, percent } from "./format.js";

const share = (key, title, text) => ({ key, title, text, isPlain: false, format: percent, of: (result) => result[key] });
const plain = (key, title, text) => ({ key, title, text, isPlain: true, format: number, of: (result) => result[key] });

// {key: in the JSON; title: of a column; text: the same in words; format(value); of(a policy's or a class's result) -> {value, half_width}}
export const fleetColumns = [
  share("abandoned", "abandoned", "share that was abandoned"),
  share("failed", "failed", "share that failed"),
  plain("goodput", "goodput/s", "goodput per second"),
  plain("attempts", "attempts", "attempts per task"),
  share("hit_ratio", "hit ratio", "hit ratio"),
  plain("workers", "workers", "workers on average"),
  { ...plain("price_per_hour", "price per hour", "price per hour"),
    of: ({ price_per_hour: price }) => (price === undefined ? undefined : { value: price, half_width: null }) },
];


"use strict";

// How far a median over some positions depends on which positions these are: the interval of experiments/src/analysis/bootstrap.rs,
// made of the very same draws.
const Bootstrap = (() => {
  const DRAWS = 10000;
  const FEWEST = 6;
  const SEED = [0x5eed, 0, 0, 0, 0, 0, 0, 0];
  // 0x2360ed051fc65da44385df649fccf645, the lowest 16 bits first.
  const MULTIPLIER = [0xf645, 0x9fcc, 0xdf64, 0x4385, 0x5da4, 0x1fc6, 0xed05, 0x2360];

  // PCG XSL RR 128/64 (MCG) of O'Neill; a number below `end` is the upper part of a product with it.
  function generator() {
    let [state, next] = [Float64Array.from(SEED), new Float64Array(8)];
    function step() {
      let carry = 0;
      for (let place = 0; place < 8; place += 1) {
        let sum = carry;
        for (let i = 0; i <= place; i += 1) sum += state[i] * MULTIPLIER[place - i];
        carry = Math.floor(sum / 65536);
        next[place] = sum - 65536 * carry;
      }
      [state, next] = [next, state];
    }
    const word = (place) => ((state[place + 1] << 16) | state[place]) >>> 0;
    return (end) => {
      step();
      let [high, low] = [word(6) ^ word(2), word(4) ^ word(0)];
      let turn = state[7] >>> 10;
      if (turn >= 32) [high, low, turn] = [low, high, turn - 32];
      if (turn > 0) {
        [high, low] = [(high >>> turn) | (low << (32 - turn)), (low >>> turn) | (high << (32 - turn))];
      }
      return Math.floor(((high >>> 0) * end + Math.floor(((low >>> 0) * end) / 2 ** 32)) / 2 ** 32);
    };
  }

  // Which two of `count` sorted samples the medians of the draws lie between, and how often. The draws do not depend on
  // the samples, so this is done once for each number of them.
  function middles(count) {
    const below = generator();
    const found = new Map();
    const times = new Int32Array(count);
    for (let draw = 0; draw < DRAWS; draw += 1) {
      times.fill(0);
      for (let i = 0; i < count; i += 1) times[below(count)] += 1;
      const at = (rank) => {
        let place = 0;
        for (let seen = times[0]; seen <= rank; seen += times[place]) place += 1;
        return place;
      };
      const key = at((count - 1) >> 1) * count + at(count >> 1);
      found.set(key, (found.get(key) || 0) + 1);
    }
    return Array.from(found, ([key, often]) => [Math.floor(key / count), key % count, often]);
  }

  const known = new Map();

  const ascending = (one, other) => one - other;

  function median(samples) {
    const sorted = [...samples].sort(ascending);
    const count = sorted.length;
    return count === 0 ? null : (sorted[(count - 1) >> 1] + sorted[count >> 1]) / 2;
  }

  // The ends of the interval; none of fewer than six samples.
  function interval(samples) {
    const count = samples.length;
    if (count < FEWEST) return null;
    if (!known.has(count)) known.set(count, middles(count));
    const sorted = [...samples].sort(ascending);
    const medians = known.get(count).map(([low, high, often]) => [(sorted[low] + sorted[high]) / 2, often]);
    medians.sort(([one], [other]) => one - other);
    const at = (share) => {
      const rank = Math.round((DRAWS - 1) * share);
      let seen = 0;
      return medians.find(([, often]) => (seen += often) > rank)[0];
    };
    return { low: at(0.025), high: at(0.975) };
  }

  return { median, interval };
})();

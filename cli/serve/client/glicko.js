// Ratings by Glicko-2: M. Glickman, "Example of the Glicko-2 system", 2022, glicko.net.

const SCALE = 173.7178; // between the scale of the paper and the one people know
const TAU = 0.5; // how fast volatility may change
const CLOSE = 1e-6;

/**
 * Return a rating after the games of a period.
 * @param {{rating: number, deviation: number, volatility: number}} player
 * @param {Array<{rating: number, deviation: number, score: number}>} games score is 0, 0.5 or 1
 */
export function rated({ rating, deviation, volatility }, games) {
  const mu = (rating - 1500) / SCALE;
  const phi = deviation / SCALE;
  let precision = 0;
  let surprise = 0;
  for (const game of games) {
    const g = 1 / Math.sqrt(1 + (3 * (game.deviation / SCALE) ** 2) / Math.PI ** 2);
    const expected = 1 / (1 + Math.exp(-g * (mu - (game.rating - 1500) / SCALE)));
    precision += g ** 2 * expected * (1 - expected);
    surprise += g * (game.score - expected);
  }
  const variance = 1 / precision;
  const sigma = volatilityAfter(phi, volatility, variance, variance * surprise);
  const before = phi ** 2 + sigma ** 2;
  const after = 1 / Math.sqrt(1 / before + precision);
  return {
    rating: 1500 + SCALE * (mu + after ** 2 * surprise),
    deviation: SCALE * after,
    volatility: sigma,
  };
}

/** Step 5 of the paper: the volatility by the Illinois algorithm. */
function volatilityAfter(phi, sigma, variance, delta) {
  const a = Math.log(sigma ** 2);
  const f = (x) => {
    const e = Math.exp(x);
    const spread = phi ** 2 + variance + e;
    return (e * (delta ** 2 - spread)) / (2 * spread ** 2) - (x - a) / TAU ** 2;
  };
  let low = a;
  let high;
  if (delta ** 2 > phi ** 2 + variance) high = Math.log(delta ** 2 - phi ** 2 - variance);
  else {
    let k = 1;
    while (f(a - k * TAU) < 0) k += 1;
    high = a - k * TAU;
  }
  let [below, above] = [f(low), f(high)];
  while (Math.abs(high - low) > CLOSE) {
    const next = low + ((low - high) * below) / (above - below);
    const value = f(next);
    if (value * above <= 0) [low, below] = [high, above];
    else below /= 2;
    [high, above] = [next, value];
  }
  return Math.exp(low / 2);
}

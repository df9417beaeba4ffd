/** How far a share of few cases may be from that of many. */

/** The quantile of the normal distribution for 95 %. */
const Z = 1.959963984540054

/**
 * The 95 % Wilson score interval of a share.
 *
 * @param of how many cases there were, at least 1
 */
export function wilsonInterval(count: number, of: number): { low: number; high: number } {
  const share = count / of
  const spread = Z * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2))
  const [middle, scale] = [share + Z ** 2 / (2 * of), 1 + Z ** 2 / of]
  // At 0 and at all, the bound is exact, and rounding must not move it.
  return { low: count === 0 ? 0 : (middle - spread) / scale, high: count === of ? 1 : (middle + spread) / scale }
}

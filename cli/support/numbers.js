import { wrongUsage } from './failure.js'

/**
 * @param {string} name of the option
 * @param {string} text
 * @param {number} minimum
 * @param {number} maximum
 */
export function wholeNumber(name, text, minimum, maximum) {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < minimum || value > maximum)
    throw wrongUsage(`--${name} must be a whole number from ${minimum} to ${maximum}.`)
  return value
}

/** Normalizes a mobile number: digits, with a plus before a country code; undefined if invalid. */
export function mobileOf(written: string): string | undefined {
  const number = written.replaceAll(/[\s()-]/g, '')
  return /^\+?\d{6,15}$/.test(number) ? number : undefined
}

/** A mobile number of which only its owner knows the middle. */
export const maskedMobile = (number: string): string =>
  number.length < 8 ? `****${number.slice(-2)}` : `${number.slice(0, -8)}****${number.slice(-4)}`

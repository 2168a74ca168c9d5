/** Normalizes a mobile number: digits, with a plus before a country code; undefined if invalid. */
export function mobileOf(written: string): string | undefined {
  const number = written.replaceAll(/[\s()-]/g, '')
  return /^\+?\d{6,15}$/.test(number) ? number : undefined
}

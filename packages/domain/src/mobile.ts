/** A mobile number as machines take it: digits, with a plus before those of a country; undefined where it is none. */
export function mobileOf(written: string): string | undefined {
  const number = written.replaceAll(/[\s()-]/g, '')
  return /^\+?\d{6,15}$/.test(number) ? number : undefined
}

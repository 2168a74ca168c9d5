// Isolates right-to-left names in a sentence, so that they do not change the order of the surrounding text.

/** Right-to-left letters and invisible direction marks. */
const turning =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u200E\u200F\u202A-\u202E\u2066-\u2069]|[\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/**
 * The text for use inside a sentence. Text without right-to-left characters stays unchanged, so that copying it yields
 * no extra characters.
 */
export function isolated(text: string): string {
  return turning.test(text) ? `\u2068${text}\u2069` : text
}

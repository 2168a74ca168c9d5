// Names that are written from the right keep their order to themselves when they stand in a sentence.

/** What is written from the right, or turns what follows it: letters, and marks that nobody sees. */
const turning =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u200E\u200F\u202A-\u202E\u2066-\u2069]|[\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/** The text for a place among other words; one that turns nothing stays as it is, for whoever copies it. */
export function isolated(text: string): string {
  return turning.test(text) ? `\u2068${text}\u2069` : text
}

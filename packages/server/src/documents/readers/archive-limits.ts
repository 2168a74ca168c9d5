// How much is taken out of an archive: its reader holds to it, and the server does where it takes what the reader says.

/** Entries that are listed, or unpacked together. */
export const mostListed = 10_000
/** Bytes of the largest file that is taken out. */
export const largestEntry = 64 * 1024 * 1024
/** Bytes of everything, where an archive is unpacked whole. */
export const mostUnpacked = 512 * 1024 * 1024
/** Bytes of what is said of an entry: a path and a few numbers. */
export const longestHead = 256 * 1024
